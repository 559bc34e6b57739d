// Chains of assignments through types and pointers.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: a == x
//pct predicate: b < 0
//pct predicate: s.v == *p
#include "probes.h"

struct s { int v; };

int f(unsigned char x) {
  int a = 0;
  signed char b = 0;
  struct s s = {1}, t = {2};
  int *p = &a;
  OBS(1) a = b = x + 1;
  OBS(1) *p = s.v = b >> 1;
  OBS(1) s = t = (struct s){a};
  OBS(1) p = &(t = s, &t)->v;
  OBS(1) return *p;
}
