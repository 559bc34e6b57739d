// A callee swaps two pointers of its caller.
//pct inputs: signed char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: low == &x
//pct predicate: *low <= *high
//pct predicate: x < y
#include "probes.h"

static void swap(signed char **a, signed char **b) {
  signed char *t = *a;
  *a = *b;
  *b = t;
}

int f(signed char x, signed char y) {
  signed char *low = &x, *high = &y;
  if (OBSX(1) *low > *high) {
    OBS(1) swap(&low, &high);
  }
  OBS(1) *low = 0;
  OBS(1) return *high;
}
