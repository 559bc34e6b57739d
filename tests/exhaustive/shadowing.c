// Inner variables that hide outer ones, also a parameter.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > 100
//pct predicate: y == 3
#include "probes.h"

int f(unsigned char x) {
  int y = 3;
  if (OBSX(1) x > 100) {
    OBS(1) int y = x - 150;
    if (OBSX(1) y == 3) {
      OBS(1) int x = y + 99;
      OBS(1) x = x - 3;
      OBS(1) y = x;
    }
    OBS(1) y++;
  }
  OBS(1) y = y + x;
  OBS(1) return y;
}
