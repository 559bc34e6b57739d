// A variable of an inner block is visible only there, from after its declaration on.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: t > 10
//pct predicate: x > 0
#include "probes.h"

int f(signed char x) {
  if (OBSXV(1, _x) x > 0) {
    OBSV(1, _x) x += 3;
    OBSV(1, _x) int t = x / 2;
    OBS(1) x = t;
    if (OBSX(1) t > 10) {
      OBS(1) t = 0;
    }
    OBS(1) x += t;
  }
  OBSV(1, _x) return x;
}
