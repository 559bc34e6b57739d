// do with continue and break: continue goes to the condition.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > 0
//pct predicate: n == 2
#include "probes.h"

int f(signed char x) {
  int n = 0;
  do {
    OBS(1) n++;
    if (OBSX(1) x == 5) {
      OBS(1) continue;
    }
    if (OBSX(1) x < -10) {
      OBS(1) break;
    }
    OBS(1) x = x / 2;
  } while (OBSX(1) n < 4 && (OBSX(2) x != 0));
  OBS(1) return n;
}
