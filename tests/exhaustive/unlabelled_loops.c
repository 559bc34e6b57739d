// do and for loops without labels get points at their heads, named by their lines.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: n > 3
//pct predicate: x & 1
#include "probes.h"

int f(unsigned char x) {
  int n = 7;
Start: OBS(Start)
  n = 0;
  do { OBS(1)
    n += x & 3;
    x /= 2;
  } while (x > 20);
  for (int i = 0; OBSX(1) i < 3; i++)
    n += i;
Middle: OBS(Middle)
  n++;
  for (; OBSX(1) n > 5;)
    n -= 4;
End: OBS(End)
  return n;
}
