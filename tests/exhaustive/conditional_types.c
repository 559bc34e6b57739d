// The arms of ?: are converted to a common type: -1 becomes large beside an unsigned arm.
//pct inputs: signed char x
//pct points: labels
//pct overflow: assume
//pct predicate: a > 0
//pct predicate: b > 0
//pct predicate: a == b
#include "probes.h"

int f(signed char x) {
  long a = x > 3 ? -1 : 7u;
  long b = x > 3 ? -1 : 7;
Start: OBS(Start)
  a = (x & 1 ? x : 0u) > 100;
End: OBS(End)
  return a + b;
}
