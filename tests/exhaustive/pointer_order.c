// A pointer that is only ordered is not the null pointer: what it points to is always there.
//pct inputs: signed char a[2]
//pct points: statements
//pct overflow: wrap
//pct predicate: a[0]
//pct predicate: a[0] != 1
#include "probes.h"

int f(signed char a[2]) {
  int count = 0;
  signed char *end = a + 2;
  OBS(1) count += a[0] == 1;
  OBS(1) a[1] = count;
  OBS(1) a[0] = -a[0];
  OBS(1) count += a < end;
  OBS(1) return count;
}
