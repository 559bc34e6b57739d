// The label of a `for` without initialisation is its head; continue goes to the step.
//pct inputs: signed char x
//pct points: labels
//pct overflow: assume
//pct predicate: x > 0
//pct predicate: s > 20
#include "probes.h"

int f(signed char x) {
  int s = 0;
Loop:
  for (; OBSX(Loop) x > 0; x -= 5) {
    if (x & 1) {
      continue;
    }
  Even: OBS(Even)
    s += x;
  }
End: OBS(End)
  return s;
}
