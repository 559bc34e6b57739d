// Division by zero stays undefined when overflow wraps.
//pct inputs: signed char x, signed char y
//pct points: labels
//pct overflow: wrap
//pct predicate: y != 0
//pct predicate: x >= y
#include "probes.h"

int f(signed char x, signed char y) {
Start: OBS(Start)
  x /= y;
Divided: OBS(Divided)
  y %= x;
End: OBS(End)
  return y;
}
