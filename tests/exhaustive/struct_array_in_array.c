// Arrays of structs that hold arrays: positions of both.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: s[1].v[0] == 9
//pct predicate: s[x & 1].v[y & 1] == 4
//pct predicate: *p > 3
//pct predicate: s[0].v[1] == s[1].v[1]
#include "probes.h"

struct row { char head; short v[2]; };

int f(unsigned char x, unsigned char y) {
  struct row s[2] = {{1, {2, 3}}, {4, {5, 6}}};
  short *p = &s[x & 1].v[0];
  struct row *r = &s[1];
  OBS(1) p += y & 1;
  OBS(1) *p = 9;
  OBS(1) r->v[x & 1] = 4;
  OBS(1) p = r[-1].v;
  OBS(1) p[1] = (r - 1)->v[0] + s[1].v[0];
  OBS(1) return s[0].v[1];
}
