// `!!x` in a leading declaration is a value, not a decision: the declarations are one straight line.
//pct inputs: signed char x, _Bool b
//pct points: statements
//pct overflow: assume
//pct predicate: x > 3
//pct predicate: *p < 0
#include "probes.h"

int f(signed char x, _Bool b) {
  int twice = !!x;
  int thrice = !!!b;
  signed char *p = &x;
  if (OBSX(1) twice > thrice) {
    OBS(1) *p = !!(x > 3);
  } else {
    OBS(1) x = !(x < 0) + !!b;
  }
  OBS(1) return x;
}
