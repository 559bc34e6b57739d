// The same between two labels: all of it is one transition.
//pct inputs: signed char x, signed char y
//pct points: labels
//pct overflow: assume
//pct predicate: x > 0
//pct predicate: y > 0
//pct predicate: n == 1
#include "probes.h"

int f(signed char x, signed char y) {
  int n = 0;
Start: OBS(Start)
  if ((x > 0 && y++ > 0) || (++n, x < y - 100))
    n += x++ > 5 ? y-- : --x;
End: OBS(End)
  return n;
}
