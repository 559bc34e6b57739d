// Division by zero is undefined: such a run ends there.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: y == 0
//pct predicate: q > 0
#include "probes.h"

int f(unsigned char x, signed char y) {
  int q = 0;
  if (OBSX(1) x > 200) {
    OBS(1) q = x / y;
  } else if (OBSX(1) x > 100) {
    OBS(1) q = x % y;
  }
  OBS(1) return q;
}
