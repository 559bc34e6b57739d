// The length of a string in a local array, and the position of a character.
//pct inputs: char x, char y
//pct points: labels
//pct overflow: assume
//pct predicate: *p == 0
//pct predicate: x == ','
//pct predicate: p == s + 1
//pct predicate: comma != 0
#include "probes.h"

int f(char x, char y) {
  char s[3] = {x, y, '\0'};
  char *p = s;
  const char *comma = 0;
Loop:
  for (; OBSX(Loop) *p; p++)
    if (*p == ',' && !comma)
      comma = p;
End: OBS(End)
  return comma ? comma - s : p - s;
}
