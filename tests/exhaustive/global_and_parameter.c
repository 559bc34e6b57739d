// A parameter and a global variable; a local variable hides the global one for a while.
//pct inputs: unsigned char x, global _Bool flag
//pct points: labels
//pct overflow: assume
//pct predicate: flag
//pct predicate: x > 9
#include "probes.h"

_Bool flag;

int f(unsigned char x) {
Start: OBS(Start)
  if (flag)
    x /= 2;
  flag = x > 9;
Set: OBS(Set)
  if (x == 4) {
    int flag = x - 4;
  Hidden: OBS(Hidden)
    x = flag;
  }
End: OBS(End)
  return flag;
}
