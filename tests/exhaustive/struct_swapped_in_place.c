// A struct is assigned from its own members: all are read before one is written.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: s.a == x
//pct predicate: s.b == x
//pct predicate: v.w[0] > v.w[1]
#include "probes.h"

struct pair { unsigned char a, b; };
struct vector { unsigned char w[2]; };

int f(unsigned char x, unsigned char y) {
  struct pair s = {x, y};
  struct vector v = {{x, y}};
  OBS(1) s = (struct pair){s.b, s.a};
  OBS(1) v = (struct vector){{v.w[1], v.w[0]}};
  OBS(1) s = (struct pair){.b = s.a + 1, .a = s.b};
  OBS(1) return v.w[0];
}
