// Initialisers with braces left out, strings as members, and ranges of indices.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s[1].n == 4
//pct predicate: m[1][x & 1] == 0
//pct predicate: r[x & 3] == 7
//pct predicate: s[0].t[1] == 'b'
#include "probes.h"

struct s { char t[3]; int n; };

int f(unsigned char x) {
  struct s s[2] = {"ab", 3, 'c', 'd', 0, 4};
  int m[2][2] = {1, 2, x};
  int r[4] = {[1 ... 2] = 7, 8};
  OBS(1) s[x & 1].t[x & 1] = s[1].t[0];
  OBS(1) m[1][1] = m[1][0]--;
  OBS(1) r[0] = r[3] - 1;
  OBS(1) s[1].n = s[0].n + s[1].t[2];
  OBS(1) return s[0].t[0];
}
