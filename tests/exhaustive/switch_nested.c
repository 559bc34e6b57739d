// A switch within a switch; break leaves the inner one only.
//pct inputs: unsigned char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: n == 1
//pct predicate: n > 9
//pct predicate: x == y
#include "probes.h"

int f(unsigned char x, unsigned char y) {
  int n = 0;
  x &= 3;
  y %= 3;
Start: OBS(Start)
  switch (x) {
  case 0:
    switch (y) {
    case 0:
      n = 1;
      break;
    case 1:
      n = 2;
    default:
      n += 10;
    }
  Inner: OBS(Inner)
    n++;
    break;
  case 2:
    n = 100;
  default:
    n--;
  }
End: OBS(End)
  return n;
}
