// Members and elements of the struct that a function returns.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: n == 2
//pct predicate: n > x
//pct predicate: x == 1
#include "probes.h"

struct v { unsigned char a[2]; short n; };

static struct v make(unsigned char x) {
  struct v v = {{x, x + 1}, -x};
  return v;
}

int f(unsigned char x) {
  int n = 0;
  OBS(1) n = make(x).a[1];
  OBS(1) n = make(n).n + make(x).a[x & 1];
  if (OBSX(1) make(x).a[0] == 2) {
    OBS(1) n = 2;
  }
  OBS(1) return n;
}
