// A predicate that overflows wraps, while the program does not overflow.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: y + 2147483600 < 0
//pct predicate: y * 65536 * 32768 == 0
#include "probes.h"

int f(unsigned char x) {
  int y = x;
  if (OBSX(1) x > 30) {
    OBS(1) y = x / 3;
  }
  OBS(1) return y;
}
