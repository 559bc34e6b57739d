// Compound assignments compute in the promoted type and convert back.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > 100
//pct predicate: s < 0
//pct predicate: x == 0
#include "probes.h"

int f(unsigned char x) {
  signed char s = 5;
  OBS(1) x += 200;
  OBS(1) s -= x;
  OBS(1) s *= 3;
  OBS(1) x /= 10;
  OBS(1) x %= 7;
  OBS(1) x -= 3;
  OBS(1) return x + s;
}
