// A jump out of two loops at once.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: i == j
//pct predicate: found
//pct predicate: x < 10
#include "probes.h"

int f(unsigned char x) {
  int i, j = 9, found = 0;
  i = 0;
Outer:
  while (OBSX(Outer) i < 4) {
    j = 0;
  Inner:
    while (OBSX(Inner) j < 3) {
      if (i * 5 + j == x) {
        found = 1;
        goto done;
      }
      j++;
    }
    i++;
  }
done: OBS(done)
  return found;
}
