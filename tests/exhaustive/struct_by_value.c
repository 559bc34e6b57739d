// Structs as arguments and results: the callee changes its own copy.
//pct inputs: signed char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: p.x == x
//pct predicate: q.x > q.y
//pct predicate: p.y == q.y
#include "probes.h"

struct point { signed char x; int y; };

static struct point mirrored(struct point p) {
  int t = p.x;
  p.x = p.y;
  p.y = t;
  return p;
}

static int sum(struct point p) {
  p.x += p.y;
  return p.x;
}

int f(signed char x, signed char y) {
  struct point p = {x, y}, q = {0, 0};
  OBS(1) q = mirrored(p);
  if (OBSX(1) sum(q) > 0) {
    OBS(1) p = mirrored(mirrored(q));
  }
  OBS(1) p.y = mirrored(p).y;
  OBS(1) return sum(p);
}
