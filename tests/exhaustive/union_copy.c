// Unions are assigned as a whole, in arrays and by a callee.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: a[0].s < 0
//pct predicate: a[1].c[0] == a[0].c[1]
//pct predicate: u.s == 258
#include "probes.h"

union u { short s; unsigned char c[2]; };

static union u turned(union u v) {
  unsigned char t = v.c[0];
  v.c[0] = v.c[1];
  v.c[1] = t;
  return v;
}

int f(unsigned char x, signed char y) {
  union u a[2] = {{258}, {0}}, u = {.c = {x, y}};
  OBS(1) a[x & 1] = u;
  OBS(1) u = turned(a[0]);
  OBS(1) a[1] = turned(turned(u));
  OBS(1) return u.s;
}
