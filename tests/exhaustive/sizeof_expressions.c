// sizeof of expressions, arrays, members and types does not evaluate anything.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: n == 4
//pct predicate: n > x
//pct predicate: x == 0
#include <stddef.h>
#include "probes.h"

struct s { char c; int i; short h[3]; };

int f(unsigned char x) {
  int n = 0;
  int a[3];
  struct s *p = 0;
  OBS(1) n = sizeof(x++) + sizeof(x + 0) - 1;
  OBS(1) n = sizeof a / sizeof a[0] + sizeof p->h - 6;
  OBS(1) n = sizeof(struct s) + (x > 1 ? sizeof 'c' : sizeof(long));
  if (OBSX(1) n - 20 > (int)offsetof(struct s, h)) {
    OBS(1) n = sizeof(a) == 12;
  }
  OBS(1) return n + _Alignof(short);
}
