// A function with two branches; the argument is converted to the type of the parameter, the result to its own.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: y > 100
//pct predicate: x < 0
//pct predicate: y == x
#include "probes.h"

static unsigned char distance(unsigned char a, int b) {
  if (a > b)
    return a - b;
  return b - a + 300;
}

int f(signed char x) {
  int y = 0;
  OBS(1) y = distance(x, 10);
  if (OBSX(1) distance(y, x) > 20) {
    OBS(1) x = distance(x, -1);
  }
  OBS(1) return y;
}
