// From a member to the struct that holds it.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: t.n == 4
//pct predicate: *m > 3
//pct predicate: t.n == t.m
#include <stddef.h>
#include "probes.h"

struct thing { int n; char c; short m; };

int f(unsigned char x) {
  struct thing t = {x, 0, 3};
  short *m = &t.m;
  struct thing *p = &t;
  OBS(1) p = (struct thing *)((char *)m - offsetof(struct thing, m));
  OBS(1) p->n = 4;
  OBS(1) *m += x & 1;
  OBS(1) return p->m;
}
