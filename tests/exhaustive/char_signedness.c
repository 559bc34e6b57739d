// Plain char is signed here; conversions between the three character types.
//pct inputs: char c
//pct points: statements
//pct overflow: assume
//pct predicate: c < 0
//pct predicate: u > 127
//pct predicate: s == u
//pct predicate: c == '\xff'
#include "probes.h"

int f(char c) {
  unsigned char u = c;
  signed char s = u;
  OBS(1) u >>= 1;
  OBS(1) s = u;
  OBS(1) c = (char)(u * 2);
  if (OBSX(1) c + u == -2) {
    OBS(1) s = '\377';
  }
  OBS(1) u = s;
  OBS(1) return c;
}
