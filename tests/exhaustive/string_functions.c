// strlen, strcmp and strchr on a small array.
//pct inputs: char x, char y
//pct points: statements
//pct overflow: assume
//pct predicate: n == 1
//pct predicate: x == 'a'
//pct predicate: c < 0
#include <string.h>
#include "probes.h"

int f(char x, char y) {
  char s[3] = {x, y, 0};
  unsigned long n = 0;
  int c = 0;
  OBS(1) n = strlen(s);
  OBS(1) c = strcmp(s, "a");
  if (OBSX(1) c == 0) {
    OBS(1) n = 7;
  }
  OBS(1) return n;
}
