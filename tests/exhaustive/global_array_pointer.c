// A global array and a global pointer into it, which a callee moves.
//pct inputs: global unsigned char table[2]
//pct points: statements
//pct overflow: assume
//pct predicate: table[1] == 5
//pct predicate: table[0] > 4
//pct predicate: n == 5
#include "probes.h"

unsigned char table[2];
static unsigned char *cursor;

static void advance(void) { cursor++; }

int f(void) {
  int n = 0;
  OBS(1) cursor = table;
  if (OBSX(1) *cursor > 4) {
    OBS(1) advance();
  }
  OBS(1) *cursor = 5;
  OBS(1) table[0] = table[1];
  OBS(1) n = *cursor;
  OBS(1) return n;
}
