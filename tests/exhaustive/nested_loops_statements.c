// Nested for loops with declared counters, which are out of scope outside.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s > 3
//pct predicate: i == 1
//pct predicate: j < i
#include "probes.h"

int f(unsigned char x) {
  int s = 0;
  OBSV(1, x__) for (int i = 0; OBSXV(2, xx_) i < 3; OBSXV(3, xx_) i++) {
    OBSV(1, xx_) for (int j = 0; OBSX(2) j < 2; OBSX(3) ++j) {
      if (OBSX(1) x & 1) {
        OBS(1) s += i;
      }
    }
  }
  OBSV(1, x__) return s;
}
