// Steps by negative numbers of small types, and differences converted to other types.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: *p == 2
//pct predicate: p - a > 1
//pct predicate: (unsigned)(p - a - 1) < 2
#include "probes.h"

int f(signed char x) {
  long a[4] = {0, 1, 2, 3};
  long *p = a + 2;
  signed char step = x % 2;
  OBS(1) p += step;
  OBS(1) p[step] = 9;
  OBS(1) p = p - step + (x > 5u);
  if (OBSX(1) p - a == 3) {
    OBS(1) p -= (unsigned char)2;
  }
  OBS(1) return p > &a[1];
}
