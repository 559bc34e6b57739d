// memset fills ints byte by byte; memmove and memcmp.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: a[0] == -1
//pct predicate: a[1] == 0x01010101
//pct predicate: n
#include <string.h>
#include "probes.h"

int f(unsigned char x) {
  int a[2] = {1, 2}, n = 0;
  OBS(1) memset(a, x, sizeof a);
  if (OBSX(1) a[1] == 0) {
    OBS(1) memset(a, 255, sizeof(int));
  }
  OBS(1) memmove(&a[1], &a[0], sizeof(int));
  OBS(1) n = memcmp(&a[0], &a[1], 4) != 0;
  OBS(1) return n;
}
