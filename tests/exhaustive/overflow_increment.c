// ++ at the largest int, -- and negation at the smallest: assumed away.
//pct inputs: _Bool b, unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: big == 2147483647
//pct predicate: big < 0
//pct predicate: x > 200
#include "probes.h"

int f(_Bool b, unsigned char x) {
  int big = b ? 2147483647 - x % 4 : -2147483647 - 1 + x % 3;
Start: OBS(Start)
  if (x > 200)
    big++;
  else
    big--;
Stepped: OBS(Stepped)
  big = -big;
End: OBS(End)
  return big;
}
