// An int seen as its bytes.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: u.i == x
//pct predicate: u.b[1] == 0
//pct predicate: u.i < 0
//pct predicate: u.b[0] > u.b[3]
#include "probes.h"

union word { int i; unsigned char b[4]; };

int f(unsigned char x, unsigned char y) {
  union word u = {-1};
  OBS(1) u.i = x;
  OBS(1) u.b[1] = y;
  if (OBSX(1) u.i > 256) {
    OBS(1) u.b[3] = x;
  }
  OBS(1) u.i += 1;
  OBS(1) return u.b[2];
}
