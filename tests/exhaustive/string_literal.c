// Characters of string literals, by index and through a pointer.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: c == 'a'
//pct predicate: *s == 'c'
//pct predicate: s[1] == 0
#include "probes.h"

int f(unsigned char x) {
  const char *s = "abc";
  char c = "xay"[x % 4];
  if (OBSX(1) c == 0) {
    OBS(1) s = s + 2;
  } else if (OBSX(1) c == 'x') {
    OBS(1) s = "c";
  }
  OBS(1) c = *s;
  OBS(1) return c + sizeof "four";
}
