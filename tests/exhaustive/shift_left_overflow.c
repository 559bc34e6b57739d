// Shifting a negative number to the left, or a bit into the sign, is a multiplication that wraps: gcc and clang define it.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: x < 0
//pct predicate: y > 100000
#include "probes.h"

int f(signed char x) {
  int y = 1;
  OBS(1) y = x << 3;
  OBS(1) y = y << 22;
  OBS(1) return y;
}
