// A union of more than eight bytes.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: u.i[1] == 0
//pct predicate: u.b[4] == x
//pct predicate: u.i[x & 1] > 255
#include "probes.h"

union large { int i[3]; unsigned char b[12]; };

int f(unsigned char x, unsigned char y) {
  union large u = {{0, 0, 0}};
  OBS(1) u.b[x & 7] = y;
  OBS(1) u.i[2] = u.i[1];
  if (OBSX(1) u.i[0] == y) {
    OBS(1) u.b[4]++;
  }
  OBS(1) return u.b[8];
}
