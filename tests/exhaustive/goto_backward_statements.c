// A loop made by a jump back, with statements as points: the label is none.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: x & 1
//pct predicate: n > 1
#include "probes.h"

int f(unsigned char x) {
  int n = 0;
again:
  if (OBSX(1) x & 1) {
    OBS(1) n++;
    OBS(1) x >>= 1;
    OBS(1) goto again;
  }
  OBS(1) return n;
}
