// ++ and -- as statements, at the limits of their types.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: x == 0
//pct predicate: y < 0
//pct predicate: x > 254
#include "probes.h"

int f(unsigned char x, signed char y) {
  OBS(1) x++;
  OBS(1) ++y;
  if (OBSX(1) y == 3) {
    OBS(1) --x;
    OBS(1) y--;
  }
  OBS(1) return x + y;
}
