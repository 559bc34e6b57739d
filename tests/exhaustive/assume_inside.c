// An assumption in the middle cuts the runs for which it fails.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > 10
//pct predicate: x == 12
#include "probes.h"

int f(signed char x) {
  if (OBSX(1) x > 10) {
    OBS(1) assume(x != 12);
    OBS(1) x++;
  }
  OBS(1) assume(x < 100);
  OBS(1) return x;
}
