// Types with other names, hiding signs and widths.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: a < 0
//pct predicate: b > 0xff
//pct predicate: a == b
#include "probes.h"

typedef signed char byte;
typedef unsigned short word;
typedef word cell;
typedef byte row[2];

int f(unsigned char x) {
  byte a = x;
  cell b = a;
  row r = {1, 2};
Start: OBS(Start)
  b = (cell)(a * 2);
  r[x > 3] = (byte)b;
Doubled: OBS(Doubled)
  a = r[1] - r[0];
End: OBS(End)
  return a;
}
