// A parameter that points to rows.
//pct inputs: unsigned char m[2]
//pct points: statements
//pct overflow: assume
//pct predicate: m[0][0] < m[1][0]
//pct predicate: *m[1] == 5
//pct predicate: n == 1
#include "probes.h"

int f(unsigned char m[][1]) {
  int n = sizeof m[0];
  unsigned char(*row)[1] = m;
  if (OBSX(1) row[1][0] > 9) {
    OBS(1) row++;
    OBS(1) n = sizeof m;
  }
  OBS(1) **row = 5;
  OBS(1) m++;
  OBS(1) m[-1][0]++;
  OBS(1) m--;
  OBS(1) return n;
}
