// An array of structs with bit-fields, copied and indexed.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: a[0].lo == a[1].hi
//pct predicate: a[x & 1].hi > 7
//pct predicate: a[1].lo < 0
#include "probes.h"

struct nibbles { unsigned char hi : 4; signed char lo : 4; };

int f(unsigned char x, unsigned char y) {
  struct nibbles a[2] = {{1, 2}, {3, 4}};
  OBS(1) a[x & 1].hi = y;
  OBS(1) a[y & 1].lo = x;
  OBS(1) a[1] = a[0];
  OBS(1) a[0].hi -= a[1].lo;
  OBS(1) return a[0].hi;
}
