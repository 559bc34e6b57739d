// The decision divides by an input: its predicate is false where the division is undefined, and the run ends there.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: wrap
//pct predicate: x / y < 3 when y != 0
//pct predicate: y == 0
#include "probes.h"

int f(unsigned char x, signed char y) {
  int r = 0;
  if (OBSX(1) x > 100 && (OBSX(2) x / y < 3)) {
    OBS(1) r = 1;
  }
  OBS(1) return r;
}
