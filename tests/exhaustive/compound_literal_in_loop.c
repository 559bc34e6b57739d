// The object of a compound literal in a loop is set again in each round.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: sum > 9
//pct predicate: n == 2
//pct predicate: sum == x
#include "probes.h"

int f(unsigned char x) {
  int n = 0, sum = 0;
Loop:
  while (OBSX(Loop) n < 3) {
    int *p = (int[2]){n, x & 7};
    p[0] += p[1]++;
    sum += p[0] - (p[1] & 1);
    n++;
  }
End: OBS(End)
  return sum;
}
