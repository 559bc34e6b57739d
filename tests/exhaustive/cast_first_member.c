// A struct seen through its first member, and back.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: c.base.kind == 2
//pct predicate: ((struct circle *)b)->radius > 7
//pct predicate: b->kind == x
#include "probes.h"

struct base { unsigned char kind; };
struct circle { struct base base; int radius; };

int f(unsigned char x) {
  struct circle c = {{1}, 7};
  struct base *b = &c.base;
  OBS(1) b->kind = x / 4;
  if (OBSX(1) b->kind == 2) {
    OBS(1) ((struct circle *)b)->radius = x;
  }
  OBS(1) c.radius++;
  OBS(1) return b->kind;
}
