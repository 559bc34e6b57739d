// A switch with fall-through and without default.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: x == 2
//pct predicate: y > 10
#include "probes.h"

int f(signed char x) {
  int y = 0;
  switch (OBSX(1) x) {
  case 1:
    OBS(1) y = 1;
  case 2:
  case -3:
    OBS(1) y += 10;
    OBS(1) break;
  case 4: {
    OBS(1) y = 20;
  }
  }
  OBS(1) return y;
}
