// Floating-point members and a table of doubles.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s.level > 1.5
//pct predicate: s.step == table[x & 1]
//pct predicate: n > 2
#include "probes.h"

struct state { float level; double step; };
static const double table[2] = {0.25, 4};

int f(unsigned char x) {
  struct state s = {x, table[0]};
  float *p = &s.level;
  int n = 0;
  OBS(1) s.step = table[x & 1];
  if (OBSX(1) x & 2) {
    OBS(1) *p = s.step;
  }
  OBS(1) n = s.level * s.step;
  OBS(1) return n;
}
