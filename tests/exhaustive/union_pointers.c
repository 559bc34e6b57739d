// Pointers of two types that share the memory of a union.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: *u.p == 5
//pct predicate: u.q == &y
//pct predicate: x > y
#include "probes.h"

union either { unsigned char *p; signed char *q; };

int f(unsigned char x, unsigned char y) {
  union either u = {&x};
  if (OBSX(1) *u.q < 0) {
    OBS(1) u.q = (signed char *)&y;
  }
  OBS(1) *u.p = 5;
  OBS(1) *u.q = *u.p + 1;
  OBS(1) return *u.p;
}
