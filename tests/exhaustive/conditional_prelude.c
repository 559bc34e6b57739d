// Branches and a call before the first label: there are starts at several points.
//pct inputs: signed char x
//pct points: labels
//pct overflow: assume
//pct predicate: x > 10
//pct predicate: y == 4
//pct predicate: y < 0
#include "probes.h"

static int clamp(int n) {
  return n > 20 ? 20 : n < -20 ? -20 : n;
}

int f(signed char x) {
  int y = clamp(x);
  if (x > 90)
    return 0;
  if (x > 10 && y != 12)
    goto Second;
  y = y / 2 + 3;
First: OBS(First)
  y = y % 5;
Second: OBS(Second)
  x = y * 2;
Third: OBS(Third)
  return x;
}
