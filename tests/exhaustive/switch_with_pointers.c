// A parser in a loop: a switch inside a loop over a pointer, with continue and break.
//pct inputs: unsigned char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: state == 1
//pct predicate: *p == '"'
//pct predicate: words > 0
//pct predicate: p == s + 2
#include "probes.h"

int f(unsigned char x, unsigned char y) {
  const unsigned char s[3] = {x, y, 0};
  const unsigned char *p = s;
  int state = 0, words = 0;
Loop:
  for (; OBSX(Loop) *p; p++) {
    switch (state) {
    case 0:
      switch (*p) {
      case ' ':
        continue;
      case '"':
        state = 1;
        break;
      default:
        words++;
      }
      break;
    case 1:
      if (*p == '"')
        state = 0;
    }
  }
End: OBS(End)
  return words;
}
