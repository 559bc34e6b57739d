// A predicate that C does not define is false there; what a short circuit leaves out need not be defined.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: x / y > 2 when y != 0
//pct predicate: !(x % y > 2) when y != 0
//pct predicate: y == 0 || 100 / y > 7
//pct predicate: 1 << y > 15 when y >= 0 && y < 32
//pct predicate: (-2147483647 - 1) / y > 0 when y != 0 && y != -1
//pct predicate: (y ? x / y : 9) == 9
#include "probes.h"

int f(unsigned char x, signed char y) {
  if (OBSX(1) y > 0) {
    OBS(1) y = y - 1;
  } else {
    OBS(1) x = x / 2;
  }
  if (OBSX(1) x % 8 == 0) {
    OBS(1) y = 0;
  }
  OBS(1) return x;
}
