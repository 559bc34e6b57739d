// The same kind of jumps where the labels are the points.
//pct inputs: signed char x, signed char y
//pct points: labels
//pct overflow: assume
//pct predicate: x < y
//pct predicate: r < 0
//pct predicate: x == 3
#include "probes.h"

int f(signed char x, signed char y) {
  int r = -1;
Start: OBS(Start)
  if (x == 3 && y > x)
    goto small;
  if (y < 0 || x > 100)
    goto out;
  r = x - y;
small: OBS(small)
  r = r / 2;
  if (r == 7)
    goto out;
  x = 3;
out: OBS(out)
  return r;
}
