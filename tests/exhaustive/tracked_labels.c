// Tracked predicates about a variable that is set late, with labels as points.
//pct inputs: signed char x
//pct points: labels
//pct overflow: assume
//pct predicate: x > 0
//pct track: y < x
//pct track: n == 2
#include "probes.h"

int f(signed char x) {
  int y, n = 0;
Start: OBS(Start)
  y = x / 2;
Loop:
  while (OBSX(Loop) n < 2) {
    n++;
    if (y < x)
      x = -x;
  Next: OBS(Next)
    y = x + n;
  }
End: OBS(End)
  return y;
}
