// Returns in the middle of nested statements, some without a value.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > 0
//pct predicate: x > 20
#include "probes.h"

void f(signed char x) {
  if (OBSX(1) x <= 0) {
    if (OBSX(1) x < -100) {
      OBS(1) return;
    }
    OBS(1) x = -x;
  }
  while (OBSX(1) x > 20) {
    if (OBSX(1) x % 3 == 0) {
      OBS(1) return;
    }
    OBS(1) x -= 20;
  }
  OBS(1) x++;
}
