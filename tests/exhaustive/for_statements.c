// The parts of a `for` are three points on one line; one without initialisation, one without step.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: i > 3
//pct predicate: x > i
#include "probes.h"

int f(unsigned char x) {
  int i = 1;
  for (OBSX(1) i = 0; OBSX(2) i < x; OBSX(3) i += 40) {
    OBS(1) x -= 7;
  }
  for (; OBSX(1) i > 3; OBSX(2) i /= 2) {
    OBS(1) ;
  }
  for (OBSX(1) x = x & 3; OBSX(2) x > 0;) {
    OBS(1) x--;
  }
  OBS(1) return i;
}
