// A struct of two kinds behind a void pointer and a tag.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: r < 0
//pct predicate: r == x
//pct predicate: b.low == 1
#include "probes.h"

struct a { int tag; unsigned char value; };
struct b { int tag; signed char low, high; };

static int value_of(void *v) {
  int tag = *(int *)v;
  if (tag == 1)
    return ((struct a *)v)->value;
  struct b *b = v;
  b->low = 1;
  return b->high;
}

int f(unsigned char x, signed char y) {
  struct a a = {1, x};
  struct b b = {2, 0, y};
  void *v = &a;
  int r = 0;
  if (OBSX(1) x > 9) {
    OBS(1) v = &b;
  }
  OBS(1) r = value_of(v);
  OBS(1) return r;
}
