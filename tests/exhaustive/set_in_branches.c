// Set in both branches of an if, in all cases of a switch, or before the only way on.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: y > 3
//pct predicate: z == 2
#include "probes.h"

int f(unsigned char x) {
  int y;
  int z;
  if (OBSXV(1, __) x > 10) {
    OBSV(1, __) y = x - 9;
  } else if (OBSXV(1, __) x > 5) {
    OBSV(1, __) return 0;
  } else {
    OBSV(1, __) y = x;
  }
  switch (OBSXV(1, x_) y) {
  case 1:
    OBSV(1, x_) z = 1;
    OBS(1) break;
  case 2:
    OBSV(1, x_) z = 7;
  default:
    OBSV(1, x_) z = 2;
  }
  OBS(1) return z;
}
