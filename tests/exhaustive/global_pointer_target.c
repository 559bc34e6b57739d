// Pointers to globals, extern and static, and a callee that changes a global behind a pointer.
//pct inputs: unsigned char x, global unsigned char g
//pct points: statements
//pct overflow: assume
//pct predicate: *p == 3
//pct predicate: g == 3
//pct predicate: p == &x
#include "probes.h"

extern unsigned char g;
unsigned char g;

static void set(unsigned char v) { g = v; }

int f(unsigned char x) {
  unsigned char *p = &g;
  if (OBSX(1) x > g) {
    OBS(1) p = &x;
  }
  OBS(1) set(3);
  OBS(1) *p += 1;
  OBS(1) return g;
}
