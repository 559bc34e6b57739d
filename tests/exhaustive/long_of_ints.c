// Two ints seen as one long.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: a[1] == 0
//pct predicate: n > 4294967295
//pct predicate: a[0] == x
#include "probes.h"

int f(unsigned char x) {
  _Alignas(8) int a[2] = {1, x};
  long n = 0;
  OBS(1) n = *(long *)a;
  OBS(1) *(long *)a = x;
  OBS(1) a[0]--;
  OBS(1) n = *(long *)&a[0];
  OBS(1) return n;
}
