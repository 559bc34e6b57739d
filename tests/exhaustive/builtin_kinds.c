// Kinds of floating-point numbers, by the macros of <math.h> and by builtins.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: d > 1
//pct predicate: n == 1
//pct predicate: n < 0
//pct predicate: k == FP_NAN
//pct predicate: k == FP_SUBNORMAL
#include <math.h>
#include "probes.h"

int f(signed char x) {
  float d = x;
  int n = 0, k = 0;
  if (OBSX(1) x == 100) {
    OBS(1) d = NAN;
  } else if (OBSX(1) x == -100) {
    OBS(1) d = -HUGE_VAL;
  } else if (OBSX(1) x == 50) {
    OBS(1) d = 1e-40f;
  }
  OBS(1) n = isnan(d);
  OBS(1) n = isinf(d);
  OBS(1) n = isfinite(d) + isnormal(d);
  OBS(1) n = signbit(d) != 0;
  OBS(1) k = fpclassify(d);
  OBS(1) n = isgreater(d, 1.0) + islessequal(d, -1.0f);
  OBS(1) n = isunordered(d, 0) - islessgreater(d, 0);
  OBS(1) return n;
}
