// short, long and long long beside each other.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: s < 0
//pct predicate: l > 2147483647
//pct predicate: u > 18446744073709550000u
#include "probes.h"

int f(signed char x) {
  short s = x * 300;
  long l = 0;
  unsigned long long u = x;
  OBS(1) l = (long)s * 70000;
  OBS(1) s = l;
  if (OBSX(1) u > l) {
    OBS(1) u = u >> 4;
  }
  OBS(1) return u == s;
}
