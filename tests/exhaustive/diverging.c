// A loop that does not end for odd numbers.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: x > 0
//pct predicate: x & 1
#include "probes.h"

int f(unsigned char x) {
Loop:
  while (OBSX(Loop) x != 0) {
    x -= 2;
  }
End: OBS(End)
  return x;
}
