// A volatile local variable keeps what is written to it, as far as upper bounds go.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > 10
//pct predicate: n == x
#include "probes.h"

int f(unsigned char x) {
  int n = 0;
  volatile int *p = &n;
  OBS(1) *p = x;
  if (OBSX(1) n > 10) {
    OBS(1) n = 10;
  }
  OBS(1) return n;
}
