// The smallest int divided by -1 overflows.
//pct inputs: signed char x
//pct points: labels
//pct overflow: assume
//pct predicate: d == -1
//pct predicate: n < 0
#include "probes.h"

int f(signed char x) {
  int n = -2147483647 - 1 + (x & 1);
  int d = x % 3 - 1;
Start: OBS(Start)
  n = n / d;
End: OBS(End)
  return n;
}
