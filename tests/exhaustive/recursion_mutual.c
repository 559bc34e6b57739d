// Two functions that call each other.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct option: --depth 5
//pct predicate: r
//pct predicate: x & 1
//pct predicate: x == 4
#include "probes.h"

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

int f(unsigned char x) {
  int r = 0;
  OBS(1) x &= 7;
  if (OBSX(1) is_even(x)) {
    OBS(1) r = 1;
  }
  OBS(1) return r;
}
