// `a ?: b` evaluates a once.
//pct inputs: unsigned char x, signed char y
//pct points: labels
//pct overflow: assume
//pct predicate: r == y
//pct predicate: x == 0
//pct predicate: r > 7
#include "probes.h"

int f(unsigned char x, signed char y) {
  int r = 0;
  int *p = 0;
Start: OBS(Start)
  r = x-- ?: y;
Next: OBS(Next)
  r = *(p ?: &r) + (y > 0 ?: 8);
End: OBS(End)
  return r;
}
