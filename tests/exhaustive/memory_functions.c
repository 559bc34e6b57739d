// memcpy, memset and memcmp on structs and arrays.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: t.a == 3
//pct predicate: b[1] == y
//pct predicate: b[0] == 0
#include <string.h>
#include "probes.h"

struct pair { int a; unsigned char b; };

int f(unsigned char x, unsigned char y) {
  struct pair s = {x, y}, t = {1, 2};
  unsigned char a[2] = {x, y}, b[2] = {7, 7};
  OBS(1) memcpy(&t, &s, sizeof t);
  OBS(1) memcpy(b, a, sizeof b);
  if (OBSX(1) x > 200) {
    OBS(1) memset(b, 0, 2);
  }
  OBS(1) memcpy(b + 1, a, 1);
  OBS(1) return t.b;
}
