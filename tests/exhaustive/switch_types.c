// The labels of a switch are converted to the promoted type of its operand.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: u > 5
//pct predicate: y == 2
#include "probes.h"

int f(signed char x) {
  unsigned u = x;
  long l = x;
  int y = 0;
  switch (OBSX(1) u) {
  case -1:
    OBS(1) y = 1;
    OBS(1) break;
  case 'A':
    OBS(1) y = 2;
  }
  switch (OBSX(1) l * 2) {
  case 0x10:
    OBS(1) y = 2;
    OBS(1) break;
  default:
    OBS(1) u = 0;
  }
  OBS(1) return y;
}
