// unsigned int converts to long without loss, to int with loss.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: l < u
//pct predicate: (int)u < 0
//pct predicate: (unsigned)l == u
#include "probes.h"

int f(signed char x) {
  unsigned u = x;
  long l = x;
  if (OBSX(1) l == u) {
    OBS(1) u = u - 10;
  } else {
    OBS(1) l = l + u;
  }
  OBS(1) return l > u;
}
