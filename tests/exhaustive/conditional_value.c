// ?: as a value, in an assignment, an initialiser of the prelude, a return; nested.
//pct inputs: signed char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: x < y
//pct predicate: m == x
//pct predicate: m > 50
#include "probes.h"

int f(signed char x, signed char y) {
  int m = (OBSXV(1, x__) x < y) ? x : y;
  OBS(1) m = m > 0 ? m : -m;
  OBS(1) x = x < 0 ? (OBSX(2) y < 0) ? 1 : 2 : 3;
  OBS(1) return m > 50 ? x : m;
}
