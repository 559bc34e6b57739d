// An array of ints seen as shorts.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: a[1] == 65537
//pct predicate: a[x & 1] < 0
//pct predicate: h[2] == 1
#include "probes.h"

int f(unsigned char x) {
  int a[2] = {0, 1};
  short *h = (short *)a;
  OBS(1) h[x & 3] = 1;
  if (OBSX(1) a[1] > 1) {
    OBS(1) h[1] = -1;
  }
  OBS(1) a[0]++;
  OBS(1) return h[0];
}
