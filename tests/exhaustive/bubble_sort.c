// Sorting three elements, one of them fixed, with an unlabelled loop between labels.
//pct inputs: signed char x, signed char y
//pct points: labels
//pct overflow: assume
//pct predicate: a[0] <= a[1]
//pct predicate: a[1] <= a[2]
//pct predicate: swapped
#include "probes.h"

int f(signed char x, signed char y) {
  int a[4] = {x, y, 5, 0}, swapped = 1, i = 0;
Round:
  while (OBSX(Round) swapped) {
    swapped = 0;
    for (i = 0; OBSX(1) i < 2; i++) {
      if (a[i] > a[i + 1]) {
        int t = a[i];
        a[i] = a[i + 1];
        a[i + 1] = t;
        swapped = 1;
      }
    }
  }
Sorted: OBS(Sorted)
  return a[1];
}
