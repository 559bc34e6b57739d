// `?:` on pointers, and writing through the result.
//pct inputs: unsigned char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: x > y
//pct predicate: p == &x
//pct predicate: *p == 200
#include "probes.h"

int f(unsigned char x, unsigned char y) {
  unsigned char *p;
Start: OBSV(Start, x__)
  p = x > y ? &x : &y;
Chosen: OBS(Chosen)
  *p = 200;
Set: OBS(Set)
  *(x == 200 ? &y : &x) = 1;
End: OBS(End)
  return *p;
}
