// Small integers as floats: comparisons are exact.
//pct inputs: signed char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: a < b
//pct predicate: a == 0.5f
//pct predicate: b >= 2.25
#include "probes.h"

int f(signed char x, signed char y) {
  float a = x, b = y;
  OBS(1) a = a / 2;
  if (OBSX(1) a > b) {
    OBS(1) b = a + 0.25f;
  }
  OBS(1) b *= 2;
  OBS(1) return a != b;
}
