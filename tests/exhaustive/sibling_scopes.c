// A name that several blocks declare, with different types: the predicate means the one in scope.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: t < 0
//pct predicate: t == x
#include "probes.h"

int f(signed char x) {
  if (OBSXV(1, __) x > 50) {
    OBSV(1, __) int t = -x;
    OBS(1) x = t + 1;
    OBS(1) ;
  } else {
    OBSV(1, __) unsigned char t = x;
    OBS(1) x = t >> 1;
    OBS(1) t = x;
    OBS(1) ;
  }
  {
    OBSV(1, __) short t = x * 7;
    OBS(1) t--;
    OBS(1) x = t;
  }
  OBSV(1, __) return x;
}
