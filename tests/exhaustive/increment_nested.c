// ++ and -- inside expressions: the old and the new value.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: a == x
//pct predicate: b == x
//pct predicate: x == 0
#include "probes.h"

int f(unsigned char x) {
  int a = 0, b = 0;
Start: OBS(Start)
  a = x++;
After: OBS(After)
  b = ++x * 2 - 1;
Between: OBS(Between)
  a = b-- - 3;
End: OBS(End)
  return a;
}
