// Truth values are the integers 0 and 1 and can be computed with.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: n == 2
//pct predicate: n > 2
//pct predicate: x > 9
#include "probes.h"

int f(unsigned char x) {
  int n = (x > 3) + (x > 9 && x < 100) + !x * 3;
Start: OBS(Start)
  n += (x == 5 || x == 50) << 1;
  if ((x < 20) == (n > 1)) {
  Inside: OBS(Inside)
    n = -(x != 4);
  }
End: OBS(End)
  return n;
}
