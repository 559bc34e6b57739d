// Members and pointers with wrapping arithmetic.
//pct inputs: signed char x
//pct points: statements
//pct overflow: wrap
//pct predicate: s.n < 0
//pct predicate: *p == x
//pct predicate: s.n - 1 > 0
#include "probes.h"

struct s { int n; short h; };

int f(signed char x) {
  struct s s = {2147483647, 32767};
  short *p = &s.h;
  OBS(1) s.n += x;
  OBS(1) *p += x;
  if (OBSX(1) s.n < 0) {
    OBS(1) s.n = -s.n;
  }
  OBS(1) s.n *= s.h;
  OBS(1) return s.n;
}
