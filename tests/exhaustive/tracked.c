// A tracked predicate sharpens the result but is not observed: states are projected onto the observed ones.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: y > 10
//pct predicate: x == 0
//pct track: y == 2 * x
//pct track: x > 5
#include "probes.h"

int f(unsigned char x) {
  int y = x;
  OBS(1) y = y + x;
  if (OBSX(1) y > 10) {
    OBS(1) x = 0;
  }
  OBS(1) y = x * 3;
  OBS(1) return y;
}
