// Unsigned bit-fields: values are cut to their width, neighbours keep theirs.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s.a == 5
//pct predicate: s.b == 0
//pct predicate: s.c > s.a
#include "probes.h"

struct flags { unsigned a : 3; unsigned b : 1; unsigned : 2; unsigned c : 5; };

int f(unsigned char x) {
  struct flags s = {0};
  OBS(1) s.a = x;
  OBS(1) s.b = x > 7;
  OBS(1) s.c = x / 3;
  OBS(1) s.a += 4;
  OBS(1) s.b++;
  if (OBSX(1) s.a - s.c < 0) {
    OBS(1) s.c -= 31;
  }
  OBS(1) return s.c;
}
