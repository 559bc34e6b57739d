// A variable without initial value is observed only where it is certainly set.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: y > 3
//pct predicate: x > 0
#include "probes.h"

int f(signed char x) {
  int y;
  OBSV(1, _x) x++;
  if (OBSXV(1, _x) x > 0) {
    OBSV(1, _x) y = x;
    OBS(1) x = y / 2;
  }
  OBSV(1, _x) ;
  OBSV(1, _x) y = x + 1;
  OBS(1) return y;
}
