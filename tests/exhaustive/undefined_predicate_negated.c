// A predicate that C does not define is false there, also if it is a negation; the least number has no quotient by -1.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: !(x % y > 2) when y != 0
//pct predicate: (-2147483647 - 1) / y > 0 when y != 0 && y != -1
#include "probes.h"

int f(unsigned char x, signed char y) {
  if (OBSX(1) y > 0) {
    OBS(1) y = y - 1;
  } else {
    OBS(1) x = 9;
  }
  OBS(1) return x;
}
