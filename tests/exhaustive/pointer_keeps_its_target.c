// A pointer stays where it points when the index or the name changes its meaning.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: *p == 3
//pct predicate: x == 3
//pct predicate: i == 1
#include "probes.h"

int f(unsigned char x) {
  unsigned char a[2] = {3, 4};
  int i = x & 1;
  unsigned char *p = &a[i];
  OBS(1) i = !i;
  OBS(1) a[i] = x;
  {
    OBS(1) unsigned char x = 9;
    OBS(1) *p = x;
    OBS(1) p = &a[1];
  }
  OBS(1) p = &x;
  OBS(1) x = 3;
  OBS(1) return *p;
}
