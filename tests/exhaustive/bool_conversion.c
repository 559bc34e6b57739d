// Conversion to _Bool is a comparison with zero, also of numbers whose low byte is zero; ++ and -- on it.
//pct inputs: signed char x, _Bool b
//pct points: statements
//pct overflow: assume
//pct predicate: b
//pct predicate: x == 0
//pct predicate: b == 1
#include "probes.h"

int f(signed char x, _Bool b) {
  OBS(1) b = b ^ (x * 256);
  OBS(1) b += x;
  OBS(1) b--;
  OBS(1) b++;
  OBS(1) b = x;
  if (OBSX(1) b) {
    OBS(1) b = x == -3 || (OBSX(2) x > 100);
  }
  OBS(1) return b;
}
