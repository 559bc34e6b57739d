// Products of signed char operands, narrowed back; multiplication of a negative by a negative.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: x < 0
//pct predicate: square < 0
//pct predicate: cube > 1000
#include "probes.h"

int f(signed char x) {
  signed char square = 0;
  int cube = 0;
  OBS(1) square = x * x;
  OBS(1) cube = x * x * x;
  if (OBSX(1) square < 0) {
    OBS(1) return -1;
  }
  if (OBSX(1) cube > 1000) {
    OBS(1) return cube;
  }
  OBS(1) return 0;
}
