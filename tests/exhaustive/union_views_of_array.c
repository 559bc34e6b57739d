// An array of unions, each seen in another way, through a walking pointer.
//pct inputs: unsigned char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: u[0].h == 0
//pct predicate: u[1].b[1] == y
//pct predicate: p == u + 1
#include "probes.h"

union u { unsigned short h; unsigned char b[2]; };

int f(unsigned char x, unsigned char y) {
  union u u[2] = {{0}, {.b = {1, 2}}};
  union u *p = u;
Loop:
  while (OBSX(Loop) p < u + 2) {
    p->b[x & 1] = y;
    p->h += 1;
    p++;
  }
End: OBS(End)
  return u[1].h;
}
