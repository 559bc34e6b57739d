// A pointer parameter that stands for an element, also used with an index.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: a[1] == 5
//pct predicate: a[2] > a[3]
//pct predicate: a[0] == 0
#include "probes.h"

static void set(short *p, short v) {
  *p = v;
  p[1] = p[0] / 2;
}

int f(unsigned char x) {
  short a[4] = {9, 9, 9, 9};
  OBS(1) set(&a[0], x);
  OBS(1) set(&a[x & 1], 11);
  OBS(1) set(a, x - 3);
  OBS(1) set(&a[2], a[1]);
  OBS(1) return a[3];
}
