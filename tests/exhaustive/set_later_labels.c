// The same with labels, in a loop: at the head the variable is not certainly set.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: last > 3
//pct predicate: x > 3
#include "probes.h"

int f(unsigned char x) {
  int last;
Loop:
  while (OBSXV(Loop, _x) x > 3) {
    last = x & 7;
  Set: OBS(Set)
    x = x / 2 - last % 2;
  }
End: OBSV(End, _x)
  last = x;
Known: OBS(Known)
  return last;
}
