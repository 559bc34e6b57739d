// Conversions between integers and floating point, cut towards zero.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: n == -1
//pct predicate: d > 2
//pct predicate: g == 2
#include "probes.h"

int f(signed char x) {
  double d = x / 4.0;
  int n = d;
  float g = n;
  OBS(1) n = (int)(d - 0.5);
  OBS(1) g = d;
  OBS(1) d = (unsigned char)(d + 40);
  OBS(1) n = (_Bool)g;
  OBS(1) d = (float)0.1;
  OBS(1) return d == 0.1f;
}
