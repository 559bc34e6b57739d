// A struct that holds an array is copied with it.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s.a[1] == t.a[1]
//pct predicate: t.a[x & 1] == 9
//pct predicate: s.a[0] > 4
#include "probes.h"

struct box { unsigned char a[2]; };

static struct box filled(struct box b, int i) {
  b.a[i & 1] = 9;
  return b;
}

int f(unsigned char x) {
  struct box s = {{x, 1}}, t = s;
  OBS(1) t = filled(s, x);
  OBS(1) s.a[0] = t.a[0] / 2;
  OBS(1) s = filled(t, s.a[0]);
  OBS(1) return s.a[0];
}
