// A struct seen as another one with the same members.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: a.y == 7
//pct predicate: b->x > 9
//pct predicate: a.x == b->x
#include "probes.h"

struct a { int x, y; };
struct b { int x, y; };

int f(unsigned char x) {
  struct a a = {x, 1};
  struct b *b = (struct b *)&a;
  OBS(1) b->y = 7;
  if (OBSX(1) b->x > 9) {
    OBS(1) a.x = 3;
  }
  OBS(1) b->x++;
  OBS(1) return a.y;
}
