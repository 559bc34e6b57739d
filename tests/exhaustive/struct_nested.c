// Structs in structs, arrays in structs, and pointers to the inner ones.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s.in.b == 4
//pct predicate: s.v[x & 1] > s.in.a
//pct predicate: p->a == s.v[0]
//pct predicate: o.in.b == s.in.b
#include "probes.h"

struct inner { short a; char b; };
struct outer { char head; struct inner in; int v[2]; };

int f(unsigned char x) {
  struct outer s = {1, {2, 3}, {4, 5}}, o = {0};
  struct inner *p = &s.in;
  OBS(1) p->b = 4;
  OBS(1) s.v[x & 1] = x;
  OBS(1) o = s;
  OBS(1) o.in.b = s.v[0];
  OBS(1) s.in = o.in;
  OBS(1) p->a += 2;
  OBS(1) return s.in.b;
}
