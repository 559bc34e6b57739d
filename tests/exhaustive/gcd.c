// Euclid's algorithm.
//pct inputs: unsigned char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: y == 0
//pct predicate: x < y
//pct predicate: x == 1
#include "probes.h"

int f(unsigned char x, unsigned char y) {
Loop:
  while (OBSX(Loop) y != 0) {
    int t = x % y;
    x = y;
  Swapped: OBS(Swapped)
    y = t;
  }
End: OBS(End)
  return x;
}
