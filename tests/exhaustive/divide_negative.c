// Division rounds to zero and the remainder has the sign of the dividend.
//pct inputs: signed char x
//pct points: labels
//pct overflow: assume
//pct predicate: q * 7 + r == x
//pct predicate: r < 0
//pct predicate: q < -3
//pct predicate: m > 0
#include "probes.h"

int f(signed char x) {
  int q = x / 7;
  int r = x % 7;
  int m = x % -5;
Start: OBS(Start)
  if (r < 0) {
    r += 7;
    q--;
  }
Fixed: OBS(Fixed)
  q = -x / 3;
End: OBS(End)
  return q + r + m;
}
