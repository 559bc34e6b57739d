// Arithmetic on pointers to void counts bytes.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: *(int *)v == 3
//pct predicate: a[1] == 8
//pct predicate: v == a + 1
#include "probes.h"

int f(unsigned char x) {
  int a[2] = {3, 4};
  void *v = a;
  if (OBSX(1) x > 9) {
    OBS(1) v += sizeof(int);
  }
  OBS(1) *(int *)v = 8;
  OBS(1) v = (char *)v + 4 * (v == a);
  OBS(1) return *(int *)v;
}
