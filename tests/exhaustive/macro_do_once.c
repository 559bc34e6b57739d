// Macros in `do { } while (0)` and with statement expressions.
//pct inputs: unsigned char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: x < y
//pct predicate: m == x
//pct predicate: m == 0
#include "probes.h"

#define SWAP(a, b) do { typeof(a) t_ = (a); (a) = (b); (b) = t_; } while (0)
#define MAX(a, b) ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ > b_ ? a_ : b_; })

int f(unsigned char x, unsigned char y) {
  int m = 0;
Start: OBS(Start)
  if (x > y)
    SWAP(x, y);
  else
    m = MAX(x, y - 1);
Next: OBS(Next)
  m = MAX(m, x) - x;
End: OBS(End)
  return m;
}
