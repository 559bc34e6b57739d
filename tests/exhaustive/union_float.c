// The bits of a float through a union.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: u.f < 0
//pct predicate: u.u >> 31
//pct predicate: u.u == 0x3f800000
//pct predicate: u.f > 2
#include "probes.h"

union bits { float f; unsigned int u; };

int f(signed char x) {
  union bits u = {.f = x};
  OBS(1) u.u &= 0x7fffffff;
  if (OBSX(1) u.f > 2) {
    OBS(1) u.u -= 0x00800000;
  }
  OBS(1) u.f = -u.f;
  OBS(1) return u.u;
}
