// Kernighan's way to count bits.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: x == 0
//pct predicate: (x & (x - 1)) == 0
//pct predicate: n > 7
#include "probes.h"

int f(unsigned char x) {
  int n = 0;
  for (; OBSX(1) x; OBSX(2) n++) {
    OBS(1) x &= x - 1;
  }
  OBS(1) return n;
}
