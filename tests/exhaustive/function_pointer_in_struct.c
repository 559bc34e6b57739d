// Function pointers as members, as in objects.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: p->side > 50
//pct predicate: s.side == 1
//pct predicate: s.area == square
#include "probes.h"

struct shape { unsigned char side; int (*area)(const struct shape *); };
static int square(const struct shape *s) { return s->side * s->side; }
static int strip(const struct shape *s) { return s->side; }

int f(unsigned char x) {
  struct shape s = {x, square}, *p = &s;
  if (OBSX(1) p->area(p) > 100) {
    OBS(1) s.area = strip;
  }
  OBS(1) s.side = p->area(&s) / 8;
  OBS(1) return s.side;
}
