// Unsigned char operands are promoted to int: their sum does not wrap, its narrowing does.
//pct inputs: unsigned char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: sum > 255
//pct predicate: narrow < x
//pct predicate: sum == narrow
#include "probes.h"

int f(unsigned char x, unsigned char y) {
  int sum = x + y;
  unsigned char narrow = x + y;
Start: OBS(Start)
  if (sum > 255) {
  Wrapped: OBS(Wrapped)
    return narrow;
  }
End: OBS(End)
  return sum - narrow;
}
