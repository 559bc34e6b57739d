// Unary + - ~ ! on narrow and unsigned operands.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: -x < -100
//pct predicate: ~x == y
//pct predicate: u > 5
#include "probes.h"

int f(unsigned char x) {
  int y = 0;
  unsigned u = 0;
  OBS(1) y = -x;
  OBS(1) u = -(unsigned)x;
  OBS(1) y = ~x;
  OBS(1) u = +x - !!u;
  OBS(1) x = -x;
  OBS(1) return !x + y;
}
