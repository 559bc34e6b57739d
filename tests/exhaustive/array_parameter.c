// An array parameter of two elements: swap them into order.
//pct inputs: signed char a[2]
//pct points: labels
//pct overflow: assume
//pct predicate: a[0] <= a[1]
//pct predicate: a[0] < 0
//pct predicate: t == a[0]
#include "probes.h"

int f(signed char a[2]) {
  signed char t = 0;
Start: OBS(Start)
  if (a[0] > a[1]) {
    t = a[0];
    a[0] = a[1];
  Half: OBS(Half)
    a[1] = t;
  }
End: OBS(End)
  return a[1] - a[0];
}
