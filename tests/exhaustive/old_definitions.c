// Functions in the style of before 1989: arguments are promoted, then cut to the declared types.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: r == x
//pct predicate: r < 0
//pct predicate: y > 100
#include "probes.h"

static int pick(a, b, c)
  unsigned char a;
  signed char b;
{
  return c ? a : b;
}

int f(unsigned char x, signed char y) {
  int r = 0;
  OBS(1) r = pick(x, y, x > y);
  OBS(1) r = pick(x + 100, y + y, 0);
  OBS(1) r = pick(r, 0, 1);
  OBS(1) return r;
}
