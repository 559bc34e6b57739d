// && || ! as values.
//pct inputs: signed char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: x > 0
//pct predicate: y < 10
//pct predicate: b
#include "probes.h"

int f(signed char x, unsigned char y) {
  int b = 0;
  OBS(1) b = x > 0 && (OBSX(2) y < 10);
  OBS(1) b = b || (OBSX(2) x < -100) || (OBSX(3) y == 7);
  OBS(1) x = !x;
  OBS(1) return b && (OBSX(2) x);
}
