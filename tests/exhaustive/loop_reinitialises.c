// Declarations with initialisers in a loop run again in each round.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: n == 2
//pct predicate: sum > 20
//pct predicate: sum == x
#include "probes.h"

struct s { int a, b; };

int f(unsigned char x) {
  int n = 0, sum = 0;
Loop:
  while (OBSX(Loop) n < 3) {
    struct s s = {.b = x & 7};
    int v[2] = {n};
    int *p = n & 1 ? &v[1] : &s.a;
    *p += 3;
    sum += s.a + s.b + v[0] + v[1];
    n++;
  }
End: OBS(End)
  return sum;
}
