// No run ends at all: a trap for postdominance.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > 3
//pct predicate: x == 7
#include "probes.h"

int f(unsigned char x) {
  OBS(1) x = x & 7;
  while (OBSX(1) 1) {
    OBS(1) x = x / 2;
  }
  OBS(1) x = 7;
  OBS(1) return x;
}
