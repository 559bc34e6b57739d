// Builtins of gcc and clang that count and turn bits.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: n > 2
//pct predicate: n == 30
//pct predicate: u > 255
//pct predicate: m == 8
#include "probes.h"

int f(signed char x) {
  int n = 0;
  long m = 0;
  unsigned u = x & 63;
  OBS(1) n = __builtin_popcount(u) + __builtin_popcountll(x);
  OBS(1) n = __builtin_clz(u | 1);
  OBS(1) n = __builtin_ctzl(x | 8L);
  OBS(1) n = __builtin_ffs(x) - __builtin_parity(u);
  OBS(1) m = __builtin_clrsb(x) - 16;
  OBS(1) u = __builtin_bswap32(u) >> 23;
  OBS(1) u = __builtin_bswap16(x) + (__builtin_bswap64(x) >> 60);
  OBS(1) return n;
}
