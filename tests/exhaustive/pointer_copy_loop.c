// `*p++ = *q++` copies one array to the other.
//pct inputs: unsigned char a[2]
//pct points: labels
//pct overflow: assume
//pct predicate: b[0] == a[0]
//pct predicate: b[1] == a[1]
//pct predicate: q - a == 1
//pct predicate: p == b + 2
#include "probes.h"

int f(unsigned char a[2]) {
  unsigned char b[2] = {7, 7};
  unsigned char *p = b, *q = a;
  int n = 2;
Loop:
  while (OBSX(Loop) n > 0) {
    *p++ = *q++;
    n--;
  }
End: OBS(End)
  return b[0];
}
