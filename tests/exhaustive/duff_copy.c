// Duff's device with two pointers.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: d[0] == 5
//pct predicate: d[3] == 8
//pct predicate: to == d + 2
#include "probes.h"

int f(unsigned char x) {
  const unsigned char s[4] = {5, 6, 7, 8};
  unsigned char d[4] = {0};
  unsigned char *to = d;
  const unsigned char *from = s;
  int count = (x & 3) + 1, n = (count + 1) / 2;
Start: OBS(Start)
  switch (count % 2) {
  case 0:
    do {
    Even: OBS(Even)
      *to++ = *from++;
    case 1:
      *to++ = *from++;
    } while (--n > 0);
  }
End: OBS(End)
  return d[0];
}
