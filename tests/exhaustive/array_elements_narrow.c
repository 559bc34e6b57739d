// Elements are narrowed when they are stored.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: u[0] > 250
//pct predicate: s[1] < 0
//pct predicate: b[0]
#include "probes.h"

int f(signed char x) {
  unsigned char u[2] = {7, 7};
  short s[2] = {0, 1};
  _Bool b[1] = {0};
  OBS(1) u[0] = x;
  OBS(1) s[1] = x * 512;
  OBS(1) b[0] = s[1];
  OBS(1) u[b[0]]++;
  OBS(1) return u[1];
}
