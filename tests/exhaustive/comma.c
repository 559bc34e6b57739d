// The comma operator evaluates from left to right and has the value of its right side.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > 0
//pct predicate: y > x
#include "probes.h"

int f(signed char x) {
  int y = 0;
  OBS(1) y = (x = x / 2, x + 1);
  OBS(1) x++, y--;
  for (OBSX(1) y = 3, x = x & 7; OBSX(2) y < x; OBSX(3) y++, x--) {
    OBS(1) ;
  }
  OBS(1) return y;
}
