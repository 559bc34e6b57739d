// Each level of a recursion has its own variables, and hands out pointers to them.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct option: --depth 4
//pct predicate: r == 1
//pct predicate: n == 7
//pct predicate: r > 10
#include "probes.h"

static int down(int n, int *up) {
  int mine = n;
  if (n == 0) {
    *up = 7;
    return mine;
  }
  int below = down(n - 1, &mine);
  *up += mine;
  return below + n;
}

int f(unsigned char x) {
  int n = 0, r = 0;
  OBS(1) r = down(x % 3, &n);
  OBS(1) return r + n;
}
