// The usual arithmetic conversions: -1 < 1 but not -1 < 1u; an unsigned char is promoted to int, though.
//pct inputs: signed char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: x < y
//pct predicate: x < (unsigned)y
//pct predicate: x < 1ul
//pct predicate: x < 1
#include "probes.h"

int f(signed char x, unsigned char y) {
  int n = 0;
  unsigned u = y;
Start: OBS(Start)
  if (x < u) {
    n++;
  }
  if (x < y) {
    n--;
  }
Counted: OBS(Counted)
  if (n != 0) {
  Differ: OBS(Differ)
    x = -x;
  }
End: OBS(End)
  return n;
}
