// Left shifts of unsigned numbers drop bits; the type is that of the promoted left operand.
//pct inputs: unsigned char x, unsigned char n
//pct points: labels
//pct overflow: assume
//pct predicate: a == 0
//pct predicate: b > 0xffffffffu
//pct predicate: n < 32
#include "probes.h"

int f(unsigned char x, unsigned char n) {
  unsigned a = x;
  unsigned long b = x;
Start: OBS(Start)
  a = a << (n & 31);
  b = b << (n & 63);
Shifted: OBS(Shifted)
  a <<= 24;
End: OBS(End)
  return a == b;
}
