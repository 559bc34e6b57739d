// Rows of a two-dimensional array through a pointer to an array.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: m[0][1] == m[1][1]
//pct predicate: (*row)[0] == 4
//pct predicate: m[1][0] > 5
#include "probes.h"

int f(unsigned char x) {
  int m[2][2] = {{1, 2}, {4, 5}};
  int(*row)[2] = m;
  int *cell = &m[1][0];
  OBS(1) row += x & 1;
  OBS(1) (*row)[1] = x;
  OBS(1) *cell = row[0][1] + 1;
  OBS(1) m[x & 1][0]++;
  OBS(1) return m[0][0];
}
