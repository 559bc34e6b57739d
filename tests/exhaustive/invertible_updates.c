// Updates that lose nothing: every state behind them has a state before them.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: x > 128
//pct predicate: y == x
//pct predicate: y < 0
#include "probes.h"

int f(unsigned char x, signed char y) {
  OBS(1) x = x + 77;
  OBS(1) y = -y;
  OBS(1) x ^= 0x55;
  OBS(1) y = ~y;
  OBS(1) x = 3 * x;
  OBS(1) return x;
}
