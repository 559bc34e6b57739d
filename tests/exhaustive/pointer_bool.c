// `_Bool` from a pointer, `!p`, and pointers in arithmetic of conditions.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: b
//pct predicate: p == 0
//pct predicate: n == 1
#include "probes.h"

int f(unsigned char x) {
  _Bool b = 0;
  int n = 0;
  const unsigned char *p = (void *)0;
  if (OBSX(1) x > 7) {
    OBS(1) p = &x;
  }
  OBS(1) b = p;
  OBS(1) n = !p;
  OBS(1) n += (p != 0) + b;
  OBS(1) return n;
}
