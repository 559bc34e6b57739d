// Casts between widths and signs.
//pct inputs: signed char x
//pct points: labels
//pct overflow: assume
//pct predicate: a == x
//pct predicate: b < 0
//pct predicate: c > 32767
#include "probes.h"

int f(signed char x) {
  long a = (unsigned char)x;
  int b = (signed char)(x + 100);
  unsigned long c = (unsigned short)x;
Start: OBS(Start)
  a = (long)(int)(unsigned)x;
  c = (unsigned long)x;
Wide: OBS(Wide)
  b = (short)(c >> 60);
  a = (_Bool)x;
End: OBS(End)
  return a + b;
}
