// A parameter that points to a pointer: the callee style of results.
//pct inputs: global unsigned char cell, argument at()
//pct points: statements
//pct overflow: assume
//pct predicate: **pp == 3
//pct predicate: x == 3
//pct predicate: *pp == &x
#include "probes.h"

#ifdef PCT_NATIVE
static unsigned char cell, *pointer;
static unsigned char **at(void) {
  pointer = &cell;
  return &pointer;
}
#endif

int f(unsigned char **pp) {
  unsigned char x = 4;
  if (OBSX(1) **pp == 9) {
    OBS(1) *pp = &x;
  }
  OBS(1) **pp = 3;
  OBS(1) return x;
}
