// A bit-field that is wider than int.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s.w == 0
//pct predicate: n > 15
//pct predicate: s.v < 0
#include "probes.h"

struct s { unsigned long long w : 40; long long v : 36; };

int f(unsigned char x) {
  struct s s = {1, -1};
  unsigned long n = 0;
  OBS(1) s.w = x;
  OBS(1) n = (s.w << 36) >> 36;
  OBS(1) s.v = (long long)x << 31;
  OBS(1) s.w -= 200;
  OBS(1) return n;
}
