// Addition that stops at the limits.
//pct inputs: signed char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: s > 127
//pct predicate: s < -128
//pct predicate: x > 0 && y > 0
#include "probes.h"

int f(signed char x, signed char y) {
  int s = x + y;
  if (OBSX(1) s > 127) {
    OBS(1) s = 127;
  } else if (OBSX(1) s < -128) {
    OBS(1) s = -128;
  }
  OBS(1) x = s;
  OBS(1) return x == s;
}
