// No run with x > 3 ends; what stands behind the loop is reached by the others only.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > 3
//pct predicate: x > 100
#include "probes.h"

int f(unsigned char x) {
  while (OBSX(1) x > 3) {
    OBS(1) x = x ^ 128;
    OBS(1) x = x | 4;
  }
  OBS(1) x = x + 1;
  OBS(1) return x;
}
