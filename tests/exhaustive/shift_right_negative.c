// The right shift of a negative number keeps its sign; that of an unsigned one does not.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: s < 0
//pct predicate: u > 1000u
//pct predicate: c > 100
#include "probes.h"

int f(signed char x) {
  int s = 0;
  unsigned u = 0;
  unsigned char c = 0;
  OBS(1) s = x >> 2;
  OBS(1) u = (unsigned)x >> 2;
  OBS(1) c = x >> 1;
  if (OBSX(1) s == -1) {
    OBS(1) return 1;
  }
  OBS(1) return s + (u != 0) + c;
}
