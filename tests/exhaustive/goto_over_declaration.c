// A jump over a declaration: behind the label the variable is in scope but not certainly set.
//pct inputs: signed char x
//pct points: labels
//pct overflow: assume
//pct predicate: t > 5
//pct predicate: x < 0
#include "probes.h"

int f(signed char x) {
Start: OBSV(Start, _x)
  if (x < 0)
    goto over;
  int t = x / 3;
Set: OBS(Set)
  x -= t;
over: OBSV(over, _x)
  t = 6;
End: OBS(End)
  return t + x;
}
