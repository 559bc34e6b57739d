// Conversions to narrower signed types keep the low bits.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: c < 0
//pct predicate: s < 0
//pct predicate: i < 0
#include "probes.h"

int f(unsigned char x) {
  signed char c = x;
  short s = 0;
  int i = 0;
  OBS(1) s = x << 8;
  OBS(1) i = 16843009ul * x;
  OBS(1) c = i >> 4;
  OBS(1) return c + s;
}
