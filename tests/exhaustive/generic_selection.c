// _Generic chooses by type, without evaluating.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: n == 3
//pct predicate: n > x
//pct predicate: y == 0
#include "probes.h"

#define KIND(e) _Generic((e), int: 1, unsigned char: 2, long: 3, float: 4, int *: 5, default: 6)

int f(unsigned char x, signed char y) {
  int n = 0;
  OBS(1) n = KIND(x) + y;
  OBS(1) n = KIND(x + y) * x;
  if (OBSX(1) n == KIND(1L)) {
    OBS(1) n = KIND(&n) + KIND(y++);
  }
  OBS(1) n -= KIND(1.5f) - KIND(*&x);
  OBS(1) return n;
}
