// The same with unsigned long and short, and statements as points.
//pct inputs: unsigned long x in 0..200, short y in -5..20
//pct points: statements
//pct overflow: assume
//pct predicate: x > 100
//pct predicate: y > x
#include "probes.h"

int f(unsigned long x, short y) {
  assume(x <= 200);
  assume(y >= -5 && y <= 20);
  if (OBSX(1) y > x) {
    OBS(1) y = x - 1000;
  }
  OBS(1) x -= y;
  OBS(1) return x < 10;
}
