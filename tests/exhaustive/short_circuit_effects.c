// Operands of && and || with effects: whether they happen depends on the left side.
//pct inputs: signed char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: x > 0
//pct predicate: y > 0
//pct predicate: n == 1
#include "probes.h"

int f(signed char x, signed char y) {
  int n = 0;
  if (OBSX(1) x > 0 && (OBSX(2) y++ > 0) && (OBSX(3) ++n == 1)) {
    OBS(1) n = 5;
  }
  if (OBSX(1) x == -5 || (OBSX(2) (n = y) > 3)) {
    OBS(1) x = 1;
  }
  OBS(1) return n;
}
