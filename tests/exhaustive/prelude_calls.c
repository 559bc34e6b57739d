// What a function decides that a leading declaration calls is no point, and the declarations stay one prelude.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s.low > 4
//pct predicate: y == 5
#include "probes.h"

struct Pair {
  unsigned char low, high;
};

static int chosen(struct Pair p) {
  p.low |= 2;
  return p.low != p.high ? p.low : 5;
}

int f(unsigned char x) {
  struct Pair s = {x & 7, 3};
  int y = chosen(s);
  struct Pair t = {1, chosen(s) + 1};
  OBS(1) s.low += t.high;
  if (OBSX(1) y > 4) {
    OBS(1) y = s.low;
  }
  OBS(1) return y + t.low;
}
