// A predicate that C does not define is false there.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: x / y < 3 when y != 0
//pct predicate: 1 << y < 16 when y >= 0 && y < 32
#include "probes.h"

int f(unsigned char x, signed char y) {
  if (OBSX(1) y > 0) {
    OBS(1) y = y - 1;
  } else {
    OBS(1) x = 9;
  }
  OBS(1) return x;
}
