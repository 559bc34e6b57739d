// A pointer to a member of a union sees what another member writes.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: *p == 5
//pct predicate: u.s < 0
//pct predicate: u.c[0] == u.c[1]
#include "probes.h"

union u { short s; unsigned char c[2]; };

int f(unsigned char x) {
  union u u = {257};
  short *p = &u.s;
  unsigned char *q = u.c;
  OBS(1) q[x & 1] = x;
  if (OBSX(1) *p < 0) {
    OBS(1) *p = 5;
  }
  OBS(1) *q = 9;
  OBS(1) return u.s;
}
