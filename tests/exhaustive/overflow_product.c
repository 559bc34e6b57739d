// Products that overflow int and long, with wrapping.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: wrap
//pct predicate: a < 0
//pct predicate: b < 0
//pct predicate: a == b
#include "probes.h"

int f(unsigned char x) {
  int a = x * 40000000;
  long b = x * 40000000l;
Start: OBS(Start)
  a = a * x;
Squared: OBS(Squared)
  b = -b * 4000000000l;
End: OBS(End)
  return a < b;
}
