// All six comparisons, chained as C reads them.
//pct inputs: signed char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: x <= y
//pct predicate: x != y
//pct predicate: (x < y) < 1
#include "probes.h"

int f(signed char x, signed char y) {
  int n = 0;
  if (OBSX(1) x <= y) {
    OBS(1) n = (x >= y) + (x != -y);
  }
  if (OBSX(1) -5 < x < 5) {
    OBS(1) x = y == 7;
  }
  OBS(1) return n;
}
