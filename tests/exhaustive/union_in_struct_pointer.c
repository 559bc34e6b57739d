// A tagged union through a pointer, with members of different sizes.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: v.kind
//pct predicate: p->as.number < 0
//pct predicate: p->as.character == x
#include "probes.h"

struct value { _Bool kind; union { long number; unsigned char character; } as; };

static long get(const struct value *v) { return v->kind ? v->as.number : v->as.character; }

int f(unsigned char x, signed char y) {
  struct value v = {1, {-1}}, *p = &v;
  OBS(1) p->as.character = x;
  if (OBSX(1) y < 0) {
    OBS(1) p->kind = 0;
    OBS(1) v.as.number = get(p) + y;
  }
  OBS(1) return get(&v) > 0;
}
