// A loop made by a jump back.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: x > 10
//pct predicate: n == 0
//pct predicate: n > 3
#include "probes.h"

int f(unsigned char x) {
  int n = 0;
again: OBS(again)
  if (x > 10) {
    x = x / 2;
    n++;
    if (n < 5)
      goto again;
  }
End: OBS(End)
  return n;
}
