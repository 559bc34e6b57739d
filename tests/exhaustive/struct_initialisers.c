// Nested designated initialisers; what is not named is zero.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s.p[1].y == x
//pct predicate: s.p[0].x == 0
//pct predicate: a[2] == 5
//pct predicate: s.n < a[4]
#include "probes.h"

struct point { int x, y; };
struct shape { struct point p[2]; unsigned char n; };

int f(unsigned char x) {
  struct shape s = {.n = x, .p[1] = {.y = x, .x = 3}, .p = {[1].y = x}};
  int a[5] = {[2] = 5, x, [0] = 1};
  OBS(1) s.p[0].x += a[3];
  OBS(1) a[2] -= s.p[1].x;
  if (OBSX(1) s.p[0].y) {
    OBS(1) s.n = 0;
  }
  OBS(1) a[4] = s.n + 1;
  OBS(1) return a[1];
}
