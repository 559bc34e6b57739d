// `switch (*p++)` and case ranges, in a loop over a string.
//pct inputs: unsigned char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: n > 5
//pct predicate: *p == 0
//pct predicate: p == s + 1
#include "probes.h"

int f(unsigned char x, unsigned char y) {
  unsigned char s[3] = {x, y, 0};
  unsigned char *p = s;
  int n = 0;
Loop: OBS(Loop)
  switch (*p++) {
  case '0' ... '9':
    n = n * 10 + p[-1] - '0';
    goto Loop;
  case '-':
    if (p == s + 1)
      goto Loop;
  default:
    p--;
  }
End: OBS(End)
  return n;
}
