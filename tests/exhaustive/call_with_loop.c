// The head of a loop in a called function is a point of its own, which this suite does not observe.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > 15
//pct predicate: y == 3
#include "probes.h"

static int ones(unsigned char n) {
  int count = 0;
  while (n) {
    count += n & 1;
    n >>= 1;
  }
  return count;
}

int f(unsigned char x) {
  int y = 0;
  OBS(1) y = ones(x & 31);
  if (OBSX(1) y == 3) {
    OBS(1) x = y;
  }
  OBS(1) return x;
}
