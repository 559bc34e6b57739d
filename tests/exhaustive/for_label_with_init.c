// The label of a `for` with initialisation is observed once; the head has a point of its own, named by its line.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: i < x
//pct predicate: s > 5
#include "probes.h"

int f(unsigned char x) {
  int i = 7, s = 0;
  x = x % 6;
Loop: OBS(Loop)
  for (i = 0; OBSX(1) i < x; i++) {
    s += i;
  }
End: OBS(End)
  return s;
}
