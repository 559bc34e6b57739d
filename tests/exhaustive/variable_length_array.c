// An array whose length is a variable.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: i < n
//pct predicate: last > 4
//pct predicate: a[0] == 1
#include "probes.h"

int f(unsigned char x) {
  int n = (x & 3) + 1;
  int last = 0;
  int a[n];
  int i = 0;
  a[0] = x;
Loop:
  while (OBSX(Loop) i < n) {
    a[i] = i * i + (n == 2);
    last = a[i];
    i++;
  }
End: OBS(End)
  return last + sizeof a;
}
