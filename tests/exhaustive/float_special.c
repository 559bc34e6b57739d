// Infinities, NaN and negative zero: no comparison with NaN holds but !=.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: d < 1
//pct predicate: d >= 1
//pct predicate: d != d
//pct predicate: d == 0
#include "probes.h"

int f(signed char x) {
  float d = x;
  if (OBSX(1) x == 0) {
    OBS(1) d = 0.0f / 0.0f;
  } else if (OBSX(1) x == 1) {
    OBS(1) d = -1 / 0.0f;
  } else if (OBSX(1) x == 2) {
    OBS(1) d = -0.0f;
  }
  if (OBSX(1) !(d > 2)) {
    OBS(1) d = -d;
  }
  OBS(1) return d < 0;
}
