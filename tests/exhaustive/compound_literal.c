// Compound literals: their values, their members, and pointers to them.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s.a == 1
//pct predicate: p->b > 5
//pct predicate: *q == x
#include "probes.h"

struct pair { int a; unsigned char b; };

static int sum(struct pair p) { return p.a + p.b; }

int f(unsigned char x) {
  struct pair s = {0};
  struct pair *p = &(struct pair){.b = x};
  int *q = (int[2]){3, x};
  OBS(1) s = (struct pair){1, x / 2};
  OBS(1) p->b++;
  OBS(1) q += x & 1;
  OBS(1) s.a = sum((struct pair){x, 3});
  if (OBSX(1) ((struct pair){x, x}).b > 9) {
    OBS(1) *p = s;
  }
  OBS(1) return *q;
}
