// The bytes of an int through a pointer to unsigned char.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: n == 256
//pct predicate: b[0] == x
//pct predicate: n < 0
#include "probes.h"

int f(unsigned char x, unsigned char y) {
  int n = 256;
  unsigned char *b = (unsigned char *)&n;
  OBS(1) b[0] = x;
  if (OBSX(1) n > 260) {
    OBS(1) b[3] = y;
  }
  OBS(1) n++;
  OBS(1) return b[1];
}
