// Differences of pointers to structs, in elements and in bytes.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: n == 2
//pct predicate: p > s
//pct predicate: n > 20
#include "probes.h"

struct s { int a; char b; int c; };

int f(unsigned char x) {
  struct s s[3] = {{1}, {2}, {3}};
  struct s *p = s;
  long n = 0;
  OBS(1) p = &s[x % 3];
  OBS(1) n = p - s;
  OBS(1) n = (char *)p - (char *)s;
  OBS(1) p = (struct s *)((char *)s + sizeof(struct s));
  OBS(1) p->a = n;
  OBS(1) n = s[1].a;
  OBS(1) return n;
}
