// A loop over an unsigned counter that wraps below zero.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: i < 4
//pct predicate: i > 200
#include "probes.h"

int f(unsigned char x) {
  unsigned char i = 0;
  for (OBSX(1) i = 3; OBSX(2) i < 4; OBSX(3) i--) {
    OBS(1) x ^= i;
    if (OBSX(1) x == 77) {
      OBS(1) break;
    }
  }
  OBS(1) return i;
}
