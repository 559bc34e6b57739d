// Pointers to void and back, to const and back, and through an integer type.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: *p == 4
//pct predicate: v == &n
//pct predicate: n > 7
#include "probes.h"

int f(unsigned char x) {
  int n = x, m = 4;
  void *v = &n;
  int *p = v;
  if (OBSX(1) x > 7) {
    OBS(1) v = &m;
  }
  OBS(1) p = (int *)v;
  OBS(1) *(unsigned *)v += 1;
  OBS(1) n = *(const int *)p - 1;
  OBS(1) p = (int *)(const void *)&n;
  OBS(1) return *p;
}
