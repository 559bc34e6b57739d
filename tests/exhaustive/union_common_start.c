// Two structs in a union that begin alike, with pointers after the tag.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: u.b.tag == 2
//pct predicate: *u.b.r == 7
//pct predicate: x == 7
#include "probes.h"

union any {
  struct { int tag; unsigned char *p; } a;
  struct { int tag; unsigned char *r; } b;
};

int f(unsigned char x, unsigned char y) {
  union any u = {{1, &x}};
  if (OBSX(1) y > 9) {
    OBS(1) u.a.p = &y;
    OBS(1) u.a.tag = 2;
  }
  OBS(1) *u.b.r = 7;
  OBS(1) return x;
}
