// A two-dimensional array walked as if it had one dimension.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: m[1][0] == 7
//pct predicate: p == &m[1][1]
//pct predicate: m[0][1] < m[1][1]
#include "probes.h"

int f(unsigned char x) {
  int m[2][2] = {{1, 2}, {3, 4}};
  int *p = &m[0][0];
  int *last = &m[0][0] + (x & 3);
Loop:
  while (OBSX(Loop) p != last) {
    *p = 7;
    p++;
  }
End: OBS(End)
  return m[1][1];
}
