// A recursive callee with an array, and one that changes its caller's variable.
//pct inputs: signed char a[2]
//pct points: statements
//pct overflow: assume
//pct option: --depth 3
//pct predicate: m == a[1]
//pct predicate: calls > 1
//pct predicate: a[0] < a[1]
#include "probes.h"

static int largest(const signed char *a, int n, int *calls) {
  (*calls)++;
  if (n == 1)
    return a[0];
  int rest = largest(a + 1, n - 1, calls);
  return a[0] > rest ? a[0] : rest;
}

int f(signed char a[2]) {
  int calls = 0, m = 0, n = 2 - (a[0] == 0);
  OBS(1) m = largest(a, n, &calls);
  OBS(1) return m;
}
