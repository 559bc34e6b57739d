// do … while (0) as a block that break leaves.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > 10
//pct predicate: y == 2
#include "probes.h"

int f(unsigned char x) {
  int y = 0;
  do {
    if (OBSX(1) x > 10) {
      OBS(1) break;
    }
    OBS(1) y = 1;
    if (OBSX(1) x > 5) {
      OBS(1) break;
    }
    OBS(1) y = 2;
  } while (OBSX(1) 0);
  OBS(1) return y;
}
