// Recursion within the depth that is asked for.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct option: --depth 4
//pct predicate: r == 6
//pct predicate: r > 10
//pct predicate: x > 3
#include "probes.h"

static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

int f(unsigned char x) {
  int r = 0;
  OBS(1) x = x % 5;
  OBS(1) r = factorial(x);
  OBS(1) return r;
}
