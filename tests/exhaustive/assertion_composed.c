// Assertions with several conditions between labels.
//pct inputs: signed char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: x < 0
//pct predicate: y > 200
//pct predicate: x > y
#include <assert.h>
#include "probes.h"

int f(signed char x, unsigned char y) {
Start: OBS(Start)
  assert(x >= 0 || y < 100);
Checked: OBS(Checked)
  assert(!(x > y && y > 3));
  x++;
End: OBS(End)
  return x;
}
