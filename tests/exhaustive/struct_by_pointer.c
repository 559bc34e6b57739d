// A callee changes a struct of its caller.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: s.n == 2
//pct predicate: s.max == x
//pct predicate: s.max < y
#include "probes.h"

struct stat { unsigned char max; int n; };

static void add(struct stat *s, unsigned char v) {
  if (s->n == 0 || v > s->max)
    s->max = v;
  s->n++;
}

int f(unsigned char x, unsigned char y) {
  struct stat s = {0, 0};
  OBS(1) add(&s, x);
  if (OBSX(1) y != 0) {
    OBS(1) add(&s, y);
  }
  OBS(1) return s.max;
}
