// Leading assumptions restrict the starts.
//pct inputs: signed char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: x < y
//pct predicate: x + y > 10
//pct predicate: y > 5
#include "probes.h"

int f(signed char x, signed char y) {
  int s = x + y;
  assume(x < y);
  assume(x > -10 && y < 10);
  if (OBSX(1) s > 10) {
    OBS(1) y = x;
  }
  OBS(1) return s;
}
