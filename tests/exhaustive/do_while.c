// A label on `do` is the start of its body, in every round.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: x > 9
//pct predicate: digits == 1
//pct predicate: digits > 2
#include "probes.h"

int f(unsigned char x) {
  int digits = 0;
Round:
  do {
    OBS(Round)
    digits++;
    x /= 10;
  } while (x != 0);
End: OBS(End)
  return digits;
}
