// An index with an effect is evaluated once.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: i == 1
//pct predicate: a[0] > 5
//pct predicate: a[1] > 5
#include "probes.h"

int f(unsigned char x) {
  unsigned char a[2] = {0, 1};
  int i = 0;
Start: OBS(Start)
  a[i++] = x;
Stored: OBS(Stored)
  a[i--] += x;
Added: OBS(Added)
  x = ++a[x > 100];
End: OBS(End)
  return x;
}
