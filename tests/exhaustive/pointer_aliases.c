// Two pointers to one variable: writing through one is seen through the other.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: *p == *q
//pct predicate: p == q
//pct predicate: a[1] == 0
#include "probes.h"

int f(unsigned char x, unsigned char y) {
  unsigned char a[2] = {x, y};
  unsigned char *p = &a[x > 9], *q = a + (y > 9);
  OBS(1) *p = 0;
  if (OBSX(1) *q == 0) {
    OBS(1) ++*q;
  }
  OBS(1) (*p)--;
  OBS(1) return a[0];
}
