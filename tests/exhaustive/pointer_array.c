// An array of pointers.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: t[0] == t[1]
//pct predicate: *t[x & 1] == 5
//pct predicate: x > y
#include "probes.h"

int f(unsigned char x, unsigned char y) {
  unsigned char *t[2] = {&x, &y};
  unsigned char **p = t;
  if (OBSX(1) x < y) {
    OBS(1) t[y & 1] = &x;
  }
  OBS(1) *t[1] = 5;
  OBS(1) p++;
  OBS(1) **p += x;
  OBS(1) return x;
}
