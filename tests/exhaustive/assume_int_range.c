// An int parameter, restricted by an assumption to a range that can be run exhaustively.
//pct inputs: int x in -40..40, int y in -20..20
//pct points: labels
//pct overflow: assume
//pct predicate: x < y
//pct predicate: x * y == 36
//pct predicate: x == -y
#include "probes.h"

int f(int x, int y) {
  assume(x >= -40 && x <= 40);
  assume(y >= -20);
  assume(y <= 20);
Start: OBS(Start)
  if (x < y)
    x += y;
  else
    y -= x;
End: OBS(End)
  return x * y;
}
