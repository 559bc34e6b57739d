// An array with a string as its initialiser, and an array of strings.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s[2] == 0
//pct predicate: names[x & 1][0] == 'o'
//pct predicate: s[0] == *names[0]
#include "probes.h"

int f(unsigned char x) {
  char s[4] = "zo";
  const char *names[2] = {"zero", "one"};
  OBS(1) s[x & 3] = names[x & 1][1];
  if (OBSX(1) s[1] == 'n') {
    OBS(1) names[0] = names[1];
  }
  OBS(1) s[0] = names[0][0];
  OBS(1) return sizeof s;
}
