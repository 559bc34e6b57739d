// `p && p->x`, `!p || p->x`: a member is asked only behind the test.
//pct inputs: unsigned char x, _Bool c
//pct points: statements
//pct overflow: assume
//pct predicate: p
//pct predicate: p->x > 5 when p
//pct predicate: p->x == s.x when p
#include "probes.h"

struct s { unsigned char x; };

int f(unsigned char x, _Bool c) {
  struct s s = {x}, *p = 0;
  if (OBSX(1) c) {
    OBS(1) p = &s;
  }
  if ((OBSX(1) p) && (OBSX(2) p->x > 5)) {
    OBS(1) p->x = 3;
  }
  if ((OBSX(1) !p) || (OBSX(2) p->x == 3)) {
    OBS(1) p = 0;
  }
  OBS(1) return s.x;
}
