// A small automaton: break leaves the switch, continue the round, return everything.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: state == 1
//pct predicate: state == 2
//pct predicate: x == 0
#include "probes.h"

int f(unsigned char x) {
  int state = 0;
  while (OBSX(1) x != 0) {
    switch (OBSX(1) state) {
    case 0:
      OBS(1) state = x & 1 ? 1 : 2;
      OBS(1) break;
    case 1:
      if (OBSX(1) x & 2) {
        OBS(1) x >>= 2;
        OBS(1) continue;
      }
      OBS(1) state = 2;
      OBS(1) break;
    default:
      if (OBSX(1) x > 40) {
        OBS(1) return -1;
      }
      OBS(1) state = 0;
    }
    OBS(1) x >>= 1;
  }
  OBS(1) return state;
}
