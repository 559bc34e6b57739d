// A pointer that may be null; its value is asked only where there is one.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: p
//pct predicate: *p > 10 when p
//pct predicate: n == 0
#include "probes.h"

int f(unsigned char x) {
  int n = x - 4;
  int *p = 0;
  if (OBSX(1) n > 3) {
    OBS(1) p = &n;
  }
  if ((OBSX(1) p) && (OBSX(2) *p > 10)) {
    OBS(1) *p = 0;
  }
  if (OBSX(1) !p) {
    OBS(1) p = &n;
  } else {
    OBS(1) p = 0;
  }
  OBS(1) return n;
}
