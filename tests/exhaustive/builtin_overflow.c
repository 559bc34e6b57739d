// Arithmetic that says whether it overflowed, and keeps what wraps around.
//pct inputs: signed char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: n < 0
//pct predicate: u > 200
//pct predicate: over
//pct predicate: s == 100
#include "probes.h"

int f(signed char x, signed char y) {
  int n = x;
  unsigned u = 0;
  short s = 0;
  _Bool over = 0;
  OBS(1) over = __builtin_add_overflow(2147483600 + n, y, &n);
  OBS(1) over = __builtin_sub_overflow((unsigned)(x & 15), y & 7u, &u);
  OBS(1) over = __builtin_mul_overflow(x, y * 4, &s);
  OBS(1) over = __builtin_mul_overflow(u, 3, &u);
  OBS(1) over = __builtin_add_overflow(x, y, &u);
  OBS(1) over = __builtin_smul_overflow(n, x, &n);
  OBS(1) return over;
}
