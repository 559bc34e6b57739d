// A pointer walks over an array that is a parameter.
//pct inputs: signed char a[2]
//pct points: labels
//pct overflow: assume
//pct predicate: p == a
//pct predicate: p < a + 2
//pct predicate: sum > 0
//pct predicate: a[0] > 0
#include "probes.h"

int f(signed char a[2]) {
  int sum = 0;
  signed char *p = a;
Loop:
  while (OBSX(Loop) p < a + 2) {
  Add: OBS(Add)
    if (*p > 0)
      sum += *p;
    p++;
  }
End: OBS(End)
  return sum;
}
