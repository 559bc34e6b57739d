// A pointer to bytes walks over an array of shorts.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: a[0] == 258
//pct predicate: a[1] < 0
//pct predicate: n == 2
#include "probes.h"

int f(unsigned char x) {
  short a[2] = {0, 0};
  unsigned char *p = (unsigned char *)a;
  int n = 0;
Loop:
  while (OBSX(Loop) n < 4) {
    *p++ = n < 2 ? 2 - n : x;
    n++;
  }
End: OBS(End)
  return a[0];
}
