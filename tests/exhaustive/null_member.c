// A member of a null pointer, behind a callee.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s.n > 9
//pct predicate: x == 0
//pct predicate: r
#include "probes.h"

struct s { int n; };

static struct s *find(struct s *s, int key) { return s->n == key ? s : 0; }

int f(unsigned char x) {
  struct s s = {x / 2};
  int r = 0;
  OBS(1) find(&s, 5)->n = x;
  OBS(1) r = find(&s, x) != 0;
  OBS(1) return r;
}
