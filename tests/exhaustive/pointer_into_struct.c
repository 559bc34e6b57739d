// Pointers to members of a struct, and writing through them.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s.b == x
//pct predicate: s.a < s.b
//pct predicate: *p == 3
//pct predicate: p == &s.a
#include "probes.h"

struct pair { int a; unsigned char b; int c; };

int f(unsigned char x) {
  struct pair s = {1, 2, 3};
  int *p = &s.c;
  unsigned char *q = &s.b;
  if (OBSX(1) x & 1) {
    OBS(1) p = &s.a;
  }
  OBS(1) *q = x;
  OBS(1) *p = s.b;
  OBS(1) s.a++;
  OBS(1) return *p;
}
