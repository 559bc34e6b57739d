// A pointer that is null on one way: a run that follows it ends there.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > 10
//pct predicate: p == 0
//pct predicate: n == 7
#include "probes.h"

int f(unsigned char x) {
  int n = 0;
  int *p = &n;
  if (OBSX(1) x == 3) {
    OBS(1) p = 0;
  }
  OBS(1) *p = 7;
  if (OBSX(1) x > 10) {
    OBS(1) n = p[0] + 1;
  }
  OBS(1) return n;
}
