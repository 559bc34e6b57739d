// typeof of expressions and types.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: y == x
//pct predicate: z < 0
//pct predicate: *p > 200
#include "probes.h"

int f(unsigned char x) {
  typeof(x) y = x + 10;
  typeof(x - 1) z = x - 10;
  typeof(&z) p = &z;
  OBS(1) y += 250;
  OBS(1) *p *= 2;
  if (OBSX(1) z == -2) {
    OBS(1) __typeof__(int[2]) a = {y, z};
    OBS(1) x = a[1];
  }
  OBS(1) return x;
}
