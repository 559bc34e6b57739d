// A failing assertion ends the run.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > 0
//pct predicate: y == x
#include <assert.h>
#include "probes.h"

int f(signed char x) {
  int y = x / 2;
  OBS(1) y = y * 2;
  if (OBSX(1) x > 0) {
    OBS(1) assert(y == x);
  }
  OBS(1) assert(x != 5);
  OBS(1) return y;
}
