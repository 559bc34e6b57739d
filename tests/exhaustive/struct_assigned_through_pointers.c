// `*p = *q` where the two may be one, and swapping structs through pointers.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: s[0].a == s[1].a
//pct predicate: s[1].b == y
//pct predicate: p == q
#include "probes.h"

struct pair { unsigned char a; int b; };

static void swap(struct pair *p, struct pair *q) {
  struct pair t = *p;
  *p = *q;
  *q = t;
}

int f(unsigned char x, unsigned char y) {
  struct pair s[2] = {{x, 1}, {3, y}};
  struct pair *p = s, *q = &s[x & 1];
  OBS(1) swap(p, q);
  OBS(1) p->b++;
  OBS(1) *q = *p;
  OBS(1) s[1] = s[y & 1];
  OBS(1) return q->b;
}
