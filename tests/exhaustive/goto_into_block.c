// Jumps into a block and into a loop, past declarations that are set afterwards.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: n == 2
//pct predicate: x > 9
//pct predicate: s.a > s.b
#include "probes.h"

struct s { int a, b; };

int f(unsigned char x) {
  struct s s = {x, 5};
  int n = 0;
  if (x & 1)
    goto Inside;
Start:
  while (OBSX(Start) n < 2) {
    s.b++;
  Inside: OBS(Inside)
    n++;
    s.a--;
  }
End: OBS(End)
  return n;
}
