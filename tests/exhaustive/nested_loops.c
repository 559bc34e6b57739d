// Two nested loops with labels on their heads; the inner bound depends on the outer counter.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: i < 3
//pct predicate: j < i
//pct predicate: s > x
#include "probes.h"

int f(unsigned char x) {
  int i = 0, j = 0, s = 0;
Outer:
  while (OBSX(Outer) i < 3) {
    j = 0;
  Inner:
    while (OBSX(Inner) j < i) {
      s += j + x % 3;
      j++;
    }
  Next: OBS(Next)
    i++;
  }
End: OBS(End)
  return s;
}
