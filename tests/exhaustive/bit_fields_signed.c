// Signed bit-fields and _Bool bit-fields.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: s.a < 0
//pct predicate: s.b == x
//pct predicate: s.t
//pct predicate: s.a + s.b == -1
#include "probes.h"

struct fields { int a : 3; signed char b : 5; _Bool t : 1; long long w : 40; };

int f(signed char x) {
  struct fields s = {1, -1, 0, 0};
  OBS(1) s.a = x;
  OBS(1) s.b = x;
  OBS(1) s.t = x & 6;
  OBS(1) s.w = s.a - 1;
  OBS(1) s.a--;
  OBS(1) s.b = s.w;
  OBS(1) return (s.a = x / 2);
}
