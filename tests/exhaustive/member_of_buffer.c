// The address of a member of a struct that is seen in bytes.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: b[4] == 3
//pct predicate: n > 2
#include "probes.h"

struct h { int kind; int len; };

int f(unsigned char x) {
  unsigned char b[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  int n = 0;
  int *q = &((struct h *)b)->len;
  OBS(1) *q = x;
  OBS(1) n = b[4];
  OBS(1) n = *q;
  OBS(1) return n;
}
