// A jump into the body of a loop, past its head.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: i < 3
//pct predicate: s > 10
//pct predicate: i == 10
#include "probes.h"

int f(unsigned char x) {
  int i = 0, s = 0;
  if (x > 50) {
    i = 10;
    goto inside;
  }
Loop:
  while (OBSX(Loop) i < 3) {
    s += x;
  inside: OBS(inside)
    s += 2;
    i++;
  }
End: OBS(End)
  return s;
}
