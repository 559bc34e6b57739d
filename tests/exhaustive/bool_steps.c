// ++ and -- on _Bool variables, members and bit-fields; compound assignments to _Bool.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: b
//pct predicate: s.c
//pct predicate: s.d
#include "probes.h"

struct s { _Bool c; _Bool d : 1; };

int f(unsigned char x) {
  _Bool b = x & 1;
  struct s s = {x & 2, x & 4};
  OBS(1) b--;
  OBS(1) s.c--;
  OBS(1) s.d--;
  OBS(1) b += x;
  OBS(1) s.c ^= 1;
  OBS(1) s.d |= x > 9;
  OBS(1) b++;
  OBS(1) b *= 0.5f;
  OBS(1) return b;
}
