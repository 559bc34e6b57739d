// An array of pointers to structs, sorted by swapping pointers.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: t[0]->k <= t[1]->k
//pct predicate: t[0] == &a
//pct predicate: a.k == 9
#include "probes.h"

struct s { unsigned char k; int n; };

int f(unsigned char x, unsigned char y) {
  struct s a = {x, 1}, b = {y, 2};
  struct s *t[2] = {&a, &b};
  if (OBSX(1) t[0]->k > t[1]->k) {
    OBS(1) struct s *h = t[0];
    OBS(1) t[0] = t[1];
    OBS(1) t[1] = h;
  }
  OBS(1) t[x & 1]->k = 9;
  OBS(1) return t[0]->n;
}
