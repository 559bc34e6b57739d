// A struct that begins with an array, through a pointer to its elements.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s.v[1] == 9
//pct predicate: s.n == 3
//pct predicate: *p > 5
#include "probes.h"

struct s { int v[2]; int n; };

int f(unsigned char x) {
  struct s s = {{x, 2}, 3};
  int *p = (int *)&s;
  OBS(1) p[1] = 9;
  OBS(1) p += x & 1;
  OBS(1) s.v[0] = *p;
  OBS(1) *p = s.n;
  OBS(1) return s.v[1];
}
