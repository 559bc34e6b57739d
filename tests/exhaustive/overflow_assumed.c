// Signed overflow ends the run: behind it, no state has wrapped.
//pct inputs: signed char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: s < 0
//pct predicate: x > 0
//pct predicate: s > 2147483600
#include "probes.h"

int f(signed char x, unsigned char y) {
  int s = 2147483500;
  OBS(1) s += y;
  OBS(1) s = s + x;
  if (OBSX(1) s < 0) {
    OBS(1) return 1;
  }
  OBS(1) s = -s - x * 2;
  OBS(1) return s;
}
