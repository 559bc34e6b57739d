// Atomic conditions under ! and ?: within a condition.
//pct inputs: signed char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: x < 0
//pct predicate: y > 9
//pct predicate: x == 7
#include "probes.h"

int f(signed char x, unsigned char y) {
  if (!(OBSX(1) x < 0) && !((OBSX(2) y > 9) || (OBSX(3) x == 7))) {
    OBS(1) x = 7;
  }
  while ((OBSX(1) x == 7) ? (OBSX(2) y > 9) : !(OBSX(3) y)) {
    OBS(1) y -= 10;
    if (OBSX(1) y < 30) {
      OBS(1) return y;
    }
  }
  OBS(1) return x;
}
