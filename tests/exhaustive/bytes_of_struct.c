// A struct seen as bytes, and bytes seen as a struct.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: s.b == 513
//pct predicate: s.a == x
//pct predicate: p[2] > 1
#include "probes.h"

struct s { unsigned char a; short b; };

int f(unsigned char x, unsigned char y) {
  struct s s = {x, 257};
  unsigned char *p = (unsigned char *)&s;
  OBS(1) p[3] = 2;
  OBS(1) p[0] = y;
  if (OBSX(1) s.b > 512) {
    OBS(1) p[2] = y;
  }
  OBS(1) return s.b;
}
