// A helper whose variables have the names of the caller's; predicates mean the caller's.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: y > 0
//pct predicate: x == y
#include "probes.h"

static int helper(int y) {
  int x = y * y;
  y = 0;
  if (x > 50)
    y = 1;
  return x - y;
}

int f(signed char x) {
  int y = 3;
  OBS(1) y = helper(x + y) - y;
  OBS(1) x = helper(helper(2));
  OBS(1) return x + y;
}
