// Statement expressions with declarations inside.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: n > 9
//pct predicate: x == n
//pct predicate: *p == 1
#include "probes.h"

int f(unsigned char x) {
  int n = 0;
  int *p = &n;
Start: OBS(Start)
  n = ({ int t = x; if (t > 20) t -= 20; t; });
Next: OBS(Next)
  *({ p = &n; p; }) += ({ x++; 1; });
End: OBS(End)
  return n;
}
