// A shift by the width or more, or by a negative number, is undefined.
//pct inputs: signed char n
//pct points: labels
//pct overflow: assume
//pct predicate: n > 40
//pct predicate: n < 0
//pct predicate: y > 0
#include "probes.h"

int f(signed char n) {
  long y = 0;
Start: OBS(Start)
  y = 1000u >> n;
Narrow: OBS(Narrow)
  y = 1l << n;
End: OBS(End)
  return y > n;
}
