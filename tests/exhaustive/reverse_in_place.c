// Two pointers meet in the middle; the comma operator in a for.
//pct inputs: unsigned char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: p < q
//pct predicate: a[0] == x
//pct predicate: a[2] == x
//pct predicate: a[0] > a[2]
#include "probes.h"

int f(unsigned char x, unsigned char y) {
  unsigned char a[3] = {x, 5, y};
  unsigned char *p, *q, t;
  for (p = a, q = a + 2; p < q; p++, q--) {
  Body: OBS(Body)
    t = *p, *p = *q, *q = t;
  }
End: OBS(End)
  return a[0];
}
