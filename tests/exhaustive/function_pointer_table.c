// A table of functions, indexed by an input.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: r == y
//pct predicate: r < 0
//pct predicate: x % 3 == 1
#include "probes.h"

static int same(int v) { return v; }
static int twice(int v) { return v * 2; }
static int negated(int v) { return -v; }
static int (*const table[3])(int) = {same, twice, negated};

int f(unsigned char x, signed char y) {
  int r = 0;
  OBS(1) r = table[x % 3](y);
  if (OBSX(1) r < 0) {
    OBS(1) r = table[2](r);
  }
  OBS(1) return r;
}
