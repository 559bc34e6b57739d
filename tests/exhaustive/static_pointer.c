// A static local pointer remembers, and a callee returns a pointer to its static variable.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct option: --globals initial
//pct predicate: p != 0
//pct predicate: *p == 3 when p
//pct predicate: n > 3
#include "probes.h"

static unsigned char *place(void) {
  static unsigned char cell;
  return &cell;
}

#ifdef PCT_NATIVE
#define RESET (*place() = 0);
#else
#define RESET
#endif

int f(unsigned char x) {
  unsigned char *p = 0;
  int n = 0;
  OBS(1) *place() = x;
  if (OBSX(1) x > 9) {
    OBS(1) p = place();
    OBS(1) *p = 3;
  }
  OBS(1) n = *place();
  OBS(1) RESET return n;
}
