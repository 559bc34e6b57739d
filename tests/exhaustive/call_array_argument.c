// A function that reads and writes the array it is given.
//pct inputs: unsigned char a[2]
//pct points: labels
//pct overflow: assume
//pct predicate: a[0] < a[1]
//pct predicate: a[0] == 0
//pct predicate: s > 255
#include "probes.h"

static int sum_and_clear(unsigned char b[], int i) {
  int sum = b[0] + b[1];
  b[i] = 0;
  return sum;
}

int f(unsigned char a[2]) {
  int s = 0;
Start: OBS(Start)
  s = sum_and_clear(a, a[0] > 7);
Cleared: OBS(Cleared)
  s += sum_and_clear(a, 0);
End: OBS(End)
  return s;
}
