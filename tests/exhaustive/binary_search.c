// Guessing a number by halving an interval; the invariants are predicates.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: low <= x
//pct predicate: x <= high
//pct predicate: low < high
#include "probes.h"

int f(unsigned char x) {
  int low = 0, high = 255;
Loop:
  while (OBSX(Loop) low < high) {
    int middle = (low + high) / 2;
  Guess: OBS(Guess)
    if (x <= middle)
      high = middle;
    else
      low = middle + 1;
  }
Found: OBS(Found)
  return low;
}
