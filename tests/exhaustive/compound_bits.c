// The bitwise compound assignments.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: x & 1
//pct predicate: x & 0x80
//pct predicate: s < 0
#include "probes.h"

int f(unsigned char x) {
  signed char s = x;
Start: OBS(Start)
  x &= 0xf1;
  x |= 2;
Masked: OBS(Masked)
  x ^= 0x81;
  x <<= 1;
Shifted: OBS(Shifted)
  s >>= 3;
  x >>= 2;
End: OBS(End)
  return x ^ s;
}
