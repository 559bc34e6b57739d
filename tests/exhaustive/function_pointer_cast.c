// Choosing a function in the call itself, passing functions on, and returning one.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: n > x
//pct predicate: n == 0
//pct predicate: g == less
#include "probes.h"

static int less(int v) { return v - 1; }
static int more(int v) { return v + 1; }
static int (*choose(int c))(int) { return c ? less : more; }
static int twice(int (*g)(int), int v) { return g(g(v)); }

int f(unsigned char x) {
  int n = 0;
  int (*g)(int) = more;
Start: OBS(Start)
  n = (x & 1 ? less : more)(x);
Next: OBS(Next)
  g = choose(x > 9);
Chosen: OBS(Chosen)
  n = twice(g, n) - choose(x < 3)(1);
End: OBS(End)
  return n;
}
