// What a short circuit leaves out of a predicate need not be defined.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: y == 0 || 100 / y > 7
//pct predicate: (y ? x / y : 9) == 9
#include "probes.h"

int f(unsigned char x, signed char y) {
  if (OBSX(1) y > 0) {
    OBS(1) y = y - 1;
  } else {
    OBS(1) x = 9;
  }
  OBS(1) return x;
}
