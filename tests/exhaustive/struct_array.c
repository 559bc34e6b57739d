// An array of structs indexed by an input, directly and through a pointer.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: a[0].k == y
//pct predicate: a[x & 1].n == 1
//pct predicate: a[1].k > a[0].k
//pct predicate: p == &a[0]
#include "probes.h"

struct entry { unsigned char k; int n; };

int f(unsigned char x, unsigned char y) {
  struct entry a[2] = {{5, 1}, {6}};
  struct entry *p = a + 1;
  OBS(1) a[x & 1].k = y;
  OBS(1) p->n++;
  if (OBSX(1) p->k == y) {
    OBS(1) p--;
  }
  OBS(1) p->k = 7;
  OBS(1) a[x & 1] = a[0];
  OBS(1) return a[1].n;
}
