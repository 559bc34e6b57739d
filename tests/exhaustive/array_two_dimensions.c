// A two-dimensional array indexed by two inputs.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: m[x & 1][y & 1] == 0
//pct predicate: m[0][1] == 7
//pct predicate: m[1][1] > m[0][0]
#include "probes.h"

int f(unsigned char x, unsigned char y) {
  signed char m[2][2] = {{1}, {3, 4}};
  OBS(1) m[x & 1][y & 1] = x;
  OBS(1) m[0][y & 1] = 7;
  if (OBSX(1) m[1][x & 1] < 0) {
    OBS(1) m[1][1] = m[0][1];
  }
  OBS(1) return m[1][0];
}
