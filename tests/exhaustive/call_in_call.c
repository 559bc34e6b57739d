// Calls within calls, and of a function that calls another one; parameters are copies.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: y == x
//pct predicate: y > 9
//pct predicate: x == 4
#include "probes.h"

static int half(int n) {
  n = n / 2;
  return n;
}

static int quarter(int x) {
  int half_of_it = half(x);
  x = half(half_of_it);
  return x;
}

int f(unsigned char x) {
  int y = x;
Start: OBS(Start)
  y = quarter(half(y) + 1);
Quartered: OBS(Quartered)
  if (half(x) == 2 && quarter(y) == 0) {
  Small: OBS(Small)
    y = half(-x);
  }
End: OBS(End)
  return y;
}
