// break and continue in a while loop, with the step before them.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: i < 5
//pct predicate: s > 3
//pct predicate: x > 100
#include "probes.h"

int f(unsigned char x) {
  int i = 0, s = 0;
  while (OBSX(1) i < 5) {
    OBS(1) i++;
    if (OBSX(1) i == 2) {
      OBS(1) continue;
    }
    if (OBSX(1) x > 100 && (OBSX(2) i > 3)) {
      OBS(1) break;
    }
    OBS(1) s += i & x;
  }
  OBS(1) return s;
}
