// Structs filled by memset and from a buffer of bytes.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: s.b == 257
//pct predicate: s.a == y
//pct predicate: s.b < 0
#include <string.h>
#include "probes.h"

struct s { unsigned char a; short b; };

int f(unsigned char x, unsigned char y) {
  struct s s = {1, 2};
  unsigned char buffer[4] = {y, 0, x, 1};
  OBS(1) memset(&s, 0, sizeof s);
  OBS(1) memset(&s.b, x, 2);
  OBS(1) memcpy(&s, buffer, 4);
  OBS(1) return s.b;
}
