// A local array with constant and variable indices.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: a[0] > a[1]
//pct predicate: a[x & 3] == 9
//pct predicate: a[2] == y
#include "probes.h"

int f(unsigned char x, unsigned char y) {
  int a[4] = {1, 2, 3};
  OBS(1) a[x & 3] = y;
  OBS(1) a[1] += a[0];
  if (OBSX(1) a[x & 3] > 9) {
    OBS(1) a[x & 3]--;
  }
  OBS(1) a[a[3] & 1] = 9;
  OBS(1) return a[0];
}
