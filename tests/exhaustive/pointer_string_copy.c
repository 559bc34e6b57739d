// A string is copied up to its end, which is inside the array.
//pct inputs: unsigned char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: *q == 0
//pct predicate: d[0] == 'a'
//pct predicate: d[1] == 'a'
//pct predicate: q == s + 1
#include "probes.h"

int f(unsigned char x, unsigned char y) {
  unsigned char s[3] = {x, y, 0};
  unsigned char d[3] = {1, 1, 1};
  unsigned char *p = d, *q = s;
Loop:
  while (OBSX(Loop) (*p = *q) != 0) {
    p++;
    q++;
  }
End: OBS(End)
  return p - d;
}
