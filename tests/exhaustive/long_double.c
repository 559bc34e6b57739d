// What is computed with long double is not known: every way is possible.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: n > 3
//pct predicate: n == 16
//pct predicate: x > 0
#include "probes.h"

struct s { long double wide; int n; };
union u { long double wide; unsigned char bytes[16]; };

int f(signed char x) {
  struct s s = {0.1L, 7};
  union u u;
  long double a = x;
  int n = sizeof a;
  OBS(1) a = a * 3 + s.wide;
  if (OBSX(1) a > 10) {
    OBS(1) n = a;
  } else if (OBSX(1) !a) {
    OBS(1) n = s.n;
  }
  OBS(1) u.bytes[15] = 4;
  OBS(1) u.wide = -a;
  OBS(1) n = u.bytes[0];
  OBS(1) n = (double)a > 20;
  OBS(1) return n;
}
