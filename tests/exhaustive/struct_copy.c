// A struct is copied; then the copy changes, and not the original.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: s.a == t.a
//pct predicate: s.b == t.b
//pct predicate: t.a > 3
#include "probes.h"

struct pair { unsigned char a; short b; };

int f(unsigned char x, signed char y) {
  struct pair s = {x, y}, t = {3, 4};
  if (OBSX(1) x > 3) {
    OBS(1) t = s;
    OBS(1) t.b = t.b * 2;
  }
  OBS(1) s.a++;
  OBS(1) s = t;
  OBS(1) return s.b;
}
