// sizeof is an unsigned long constant, so that a comparison with it is unsigned; its operand is not evaluated.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: x < sizeof(int)
//pct predicate: n == 8
#include "probes.h"

int f(signed char x) {
  unsigned long n = 0;
  OBS(1) n = sizeof(x++) + sizeof(short);
  if (OBSX(1) x < sizeof(int)) {
    OBS(1) n = sizeof(long);
  }
  OBS(1) n = n + sizeof x - x;
  OBS(1) return n > 8;
}
