// abort and exit end the run.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > 3
//pct predicate: x < -3
#include <stdlib.h>
#include "probes.h"

int f(signed char x) {
  if (OBSX(1) x > 3) {
    OBS(1) abort();
  }
  if (OBSX(1) x < -3) {
    OBS(1) exit(x == 7);
  }
  OBS(1) return x;
}
