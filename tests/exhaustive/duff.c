// A switch that jumps into a loop.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: n > 0
//pct predicate: s == x
//pct predicate: s > 4
#include "probes.h"

int f(unsigned char x) {
  int n = 0, s = 0;
  x %= 9;
  n = (x + 2) / 3;
Start: OBS(Start)
  switch (x % 3) {
  case 0:
    if (x == 0)
      break;
  Round:
    do {
      OBS(Round)
      s++;
    case 2:
      s++;
    case 1:
      s++;
    } while (--n > 0);
  }
End: OBS(End)
  return s;
}
