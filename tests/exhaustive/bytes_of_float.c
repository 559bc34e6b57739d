// The bits of a float through a pointer to another type, and by memcpy.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: u == 0x40000000
//pct predicate: u >> 31
//pct predicate: g < 0
#include <string.h>
#include "probes.h"

int f(signed char x) {
  float g = x;
  unsigned u = 0;
  OBS(1) u = *(unsigned *)&g;
  OBS(1) *(unsigned *)&g ^= 0x80000000;
  OBS(1) memcpy(&u, &g, 4);
  OBS(1) return u;
}
