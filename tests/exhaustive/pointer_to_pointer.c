// A pointer to a pointer changes where a pointer points.
//pct inputs: unsigned char x, _Bool c
//pct points: statements
//pct overflow: assume
//pct predicate: p == &a
//pct predicate: *pp == &b
//pct predicate: a == 9
//pct predicate: b > 9
#include "probes.h"

int f(unsigned char x, _Bool c) {
  int a = x, b = x / 2;
  int *p = &a, *q = &b;
  int **pp = &p;
  if (OBSX(1) c) {
    OBS(1) pp = &q;
  }
  OBS(1) *pp = &b;
  OBS(1) **pp = 9;
  if (OBSX(1) *p == 9) {
    OBS(1) *pp = &a;
  }
  OBS(1) **pp += 1;
  OBS(1) return a + b + *q;
}
