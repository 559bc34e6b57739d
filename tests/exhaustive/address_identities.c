// `*&x`, `&*p`, `&a[i] - a`, `&a` and `a`, `(&x)[0]`, `&s` and its first member.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: &*p == a + 1
//pct predicate: *&x > (&y)[0]
//pct predicate: n == 1
#include "probes.h"

struct s { int first, second; };

int f(unsigned char x, unsigned char y) {
  int a[3] = {x, y, 0}, n = 0;
  struct s s = {x, y};
  int *p = a;
  OBS(1) p = &*(a + (y & 1));
  OBS(1) n = &a[y & 1] == p;
  OBS(1) n += (void *)&a == (void *)a;
  OBS(1) n -= (int *)&s == &s.first;
  OBS(1) n += &p[1] - a;
  OBS(1) *&x = *&*p;
  OBS(1) n = (int *)(&a + 1) - &a[2];
  OBS(1) return (char *)(p + 1) - (char *)p;
}
