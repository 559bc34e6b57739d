// Constant globals keep their value.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: x > limit
//pct predicate: table[x & 3] == 30
//pct predicate: y == offset
#include "probes.h"

const int limit = 100;
static const signed char offset = -7;
const unsigned short table[4] = {10, 20, 30, 60000};

int f(unsigned char x) {
  int y = table[x & 3];
  if (OBSX(1) x > limit) {
    OBS(1) y += offset;
  } else if (OBSX(1) y > 50000) {
    OBS(1) y = offset;
  }
  OBS(1) return y;
}
