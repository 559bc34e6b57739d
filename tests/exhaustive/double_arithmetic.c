// Doubles that are exact in binary: sums, products, quotients by powers of two, negation, increments.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: d > 10
//pct predicate: d == e
//pct predicate: -e >= 0.125
#include "probes.h"

int f(signed char x) {
  double d = 1.5, e = -x;
  OBS(1) d += x;
  OBS(1) e = e * 0.5;
  OBS(1) d++;
  if (OBSX(1) d > 64) {
    OBS(1) d = d / 8 - 0.25;
  } else if (OBSX(1) !e) {
    OBS(1) d = e;
  }
  OBS(1) e -= d;
  OBS(1) return e < d;
}
