// A loop before the first label has its own point.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: n > 2
//pct predicate: x < 16
#include "probes.h"

int f(unsigned char x) {
  int n = 0;
  while (OBSX(1) x >= 16) {
    x -= 16;
    n++;
  }
Start: OBS(Start)
  n = n * x;
End: OBS(End)
  return n;
}
