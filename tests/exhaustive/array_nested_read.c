// An index that is computed from an element of the same array.
//pct inputs: signed char a[2]
//pct points: labels
//pct overflow: assume
//pct predicate: y == 0
//pct predicate: a[1] == 1
//pct predicate: a[0] == y
#include "probes.h"

int f(signed char a[2]) {
  int y = a[a[1] & 1];
Start: OBS(Start)
  a[a[0] & 1] = a[y & 1] / 2;
Stored: OBS(Stored)
  y = a[(a[0] ^ a[1]) & 1];
End: OBS(End)
  return y;
}
