// Forward jumps, as for cleaning up.
//pct inputs: signed char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: x < y
//pct predicate: r < 0
#include "probes.h"

int f(signed char x, signed char y) {
  int r = -1;
  if (OBSX(1) x < 0) {
    OBS(1) goto out;
  }
  if (OBSX(1) y < 0) {
    OBS(1) goto negative;
  }
  OBS(1) r = x < y;
  OBS(1) goto out;
negative:
  OBS(1) r = -2;
out:
  OBS(1) return r;
}
