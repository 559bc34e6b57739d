// The value of an assignment to a bit-field is the value that it then holds; promotion of bit-fields.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: n == 1
//pct predicate: s.a - 8 < 0
//pct predicate: s.w - 1 > 0
//pct predicate: n < 0
#include "probes.h"

struct s { unsigned a : 3; int b : 3; unsigned w : 32; };

int f(unsigned char x) {
  struct s s = {0}, *p = &s;
  int n = 0;
  OBS(1) n = (s.a = x);
  OBS(1) n = s.a++;
  OBS(1) n = ++p->b;
  OBS(1) n = (p->b += x);
  OBS(1) n = s.b-- < s.a - 6;
  OBS(1) s.w = s.b;
  OBS(1) return n;
}
