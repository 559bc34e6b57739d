// A callee returns one of its pointer arguments.
//pct inputs: signed char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: p == &y
//pct predicate: x == 0
//pct predicate: *p < x
#include "probes.h"

static signed char *smaller(signed char *a, signed char *b) { return *a < *b ? a : b; }

int f(signed char x, signed char y) {
  signed char *p = &x;
  OBS(1) p = smaller(&x, &y);
  OBS(1) *smaller(&x, &y) = 0;
  OBS(1) x++;
  OBS(1) return *p;
}
