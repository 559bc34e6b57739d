// Rounding to the nearest float, ties to even; double expressions rounded on assignment.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: g == 16777216
//pct predicate: g > 16777217.0
//pct predicate: h == 0.5f
#include "probes.h"

int f(unsigned char x) {
  float g = 0, h = 0.5f;
  OBS(1) g = 16777216 + (x & 3);
  OBS(1) h += 0.0000000001;
  OBS(1) g = g + 1;
  OBS(1) h = h + 0.1;
  if (OBSX(1) h == 0.6) {
    OBS(1) h = 0.5f;
  }
  OBS(1) return g;
}
