// `p += n`, `--p`, `*--p`, `*(p + i)`, `i[p]`, `p[-1]`.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: *p == 3
//pct predicate: a[1] == 9
//pct predicate: a[2] > a[3]
//pct predicate: p > a
#include "probes.h"

int f(unsigned char x) {
  short a[4] = {1, 2, 3, 4};
  short *p = a;
  OBS(1) p += x % 3;
  OBS(1) *(p + 1) = 9;
  OBS(1) p++;
  OBS(1) *--p += 1;
  OBS(1) 1[p] = x;
  OBS(1) ++p;
  OBS(1) p[-1] = *p - 1;
  OBS(1) return *a;
}
