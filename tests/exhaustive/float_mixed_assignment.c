// Compound assignment of floating values to integers, and conditional types.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: n == 3
//pct predicate: c > 100
//pct predicate: d == 2.5
#include "probes.h"

int f(unsigned char x) {
  int n = 2;
  unsigned char c = x & 15;
  double d = 0;
Start: OBS(Start)
  n *= 1.75;
  c += 99.5;
Next: OBS(Next)
  d = c > 100 ? 2.5 : n;
Then: OBS(Then)
  n = d * 2;
  d = x & 1 ? n : n / 2;
End: OBS(End)
  return c;
}
