// & | ^ ~ on signed and unsigned operands.
//pct inputs: signed char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: (x & 0x0f) == 3
//pct predicate: (x ^ y) < 0
//pct predicate: z == ~x
#include "probes.h"

int f(signed char x, unsigned char y) {
  int z = ~x;
  OBS(1) y = y | 0x40;
  OBS(1) z = z ^ (y & x);
  if (OBSX(1) (z & 1) == 0) {
    OBS(1) z = ~z;
  }
  OBS(1) return z;
}
