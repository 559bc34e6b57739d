// Members through expressions: `p++->n`, `(c ? p : q)->n`, `p->v[p->n++]`.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s[0].n == 1
//pct predicate: s[1].v[1] == x
//pct predicate: p == s
//pct predicate: s[1].n > 1
#include "probes.h"

struct stack { int n; unsigned char v[2]; };

static struct stack *top(struct stack *s) { return s + 1; }

int f(unsigned char x) {
  struct stack s[2] = {{0}};
  struct stack *p = s;
  OBS(1) p++->n = 1;
  OBS(1) p->v[p->n++] = 7;
  OBS(1) p->v[p->n++ & 1] = x;
  OBS(1) (x > 9 ? p : s)->n--;
  OBS(1) top(s)->n += top(s)->v[1] & 1;
  OBS(1) (--p)->v[0] = (*p).n + (&s[1])->n;
  OBS(1) return s->v[0];
}
