// Differences and comparisons of pointers into one array.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: p < q
//pct predicate: d == 2
//pct predicate: q - p > 0
//pct predicate: p == q
#include "probes.h"

int f(unsigned char x, unsigned char y) {
  int a[4] = {0, 1, 2, 3};
  int *p = a + (x & 3), *q = &a[y % 4];
  long d = 0;
  if (OBSX(1) p > q) {
    OBS(1) d = p - q;
  } else if (OBSX(1) p != q) {
    OBS(1) d = &q[0] - p;
  }
  OBS(1) *p = *q + d;
  if (OBSX(1) p >= a + 1) {
    OBS(1) p -= 1;
  }
  OBS(1) return a[0];
}
