// A shift too far stays undefined when overflow wraps, but one into the sign does not.
//pct inputs: unsigned char n
//pct points: statements
//pct overflow: wrap
//pct predicate: y < 0
//pct predicate: n < 31
//pct predicate: n < 40
#include "probes.h"

int f(unsigned char n) {
  int y = 0;
  if (OBSX(1) n < 64) {
    OBS(1) y = 1 << n;
  }
  OBS(1) y = y - 1;
  OBS(1) return y;
}
