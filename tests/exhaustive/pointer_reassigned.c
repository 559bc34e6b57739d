// A pointer variable that points to one of two variables.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: p == &b
//pct predicate: a > 100
//pct predicate: b == 6
//pct predicate: *p == 6
#include "probes.h"

int f(unsigned char x) {
  int a = x, b = 5;
  int *p = &a;
  if (OBSX(1) x > 100) {
    OBS(1) p = &b;
  }
  OBS(1) *p = *p + 1;
  OBS(1) a = a - 1;
  OBS(1) return a + b;
}
