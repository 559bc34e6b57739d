// Ball's example, on an array of two elements.
//pct inputs: signed char a[2]
//pct points: labels
//pct overflow: assume
//pct predicate: lo < hi
//pct predicate: lo <= hi
//pct predicate: a[0] > pivot
#include "probes.h"

int f(signed char a[2]) {
  int pivot = a[0], lo = 1, hi = 1, n = 0;
Start: OBS(Start)
  n = 2;
  while (OBSX(1) lo <= hi) {
  Up: OBS(Up)
    if (lo < n && a[lo & 1] <= pivot)
      lo++;
  Down: OBS(Down)
    if (a[hi & 1] > pivot)
      hi--;
  Swap: OBS(Swap)
    if (lo < hi) {
      int t = a[lo & 1];
      a[lo & 1] = a[hi & 1];
      a[hi & 1] = t;
    }
  }
End: OBS(End)
  return hi;
}
