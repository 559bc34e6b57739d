// Updates that lose information: not every state behind them is reached.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: x & 1
//pct predicate: x > 128
//pct predicate: y == x
#include "probes.h"

int f(unsigned char x, unsigned char y) {
  OBS(1) x = x * 2;
  OBS(1) y = x | 1;
  OBS(1) x = y / 3;
  OBS(1) x = 200;
  OBS(1) return y;
}
