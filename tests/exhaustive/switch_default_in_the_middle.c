// default in the middle of a switch: it is taken last and falls through.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: y == 0
//pct predicate: y & 2
//pct predicate: x > 7
#include "probes.h"

int f(unsigned char x) {
  int y = 0;
Start: OBS(Start)
  switch (x & 15) {
  case 3:
    y = 4;
    break;
  default:
  Middle: OBS(Middle)
    y = 2;
  case 7:
    y |= 1;
    break;
  case 0:
    y = 8;
  }
End: OBS(End)
  return y;
}
