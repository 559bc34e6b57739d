// while (1) that only break and return leave.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: x < 50
//pct predicate: n > 2
#include "probes.h"

int f(unsigned char x) {
  int n = 0;
  while (OBSX(1) 1) {
    if (OBSX(1) x < 50) {
      OBS(1) break;
    }
    OBS(1) x -= 37;
    OBS(1) n++;
    if (OBSX(1) n == 4) {
      OBS(1) return -1;
    }
  }
  OBS(1) return n;
}
