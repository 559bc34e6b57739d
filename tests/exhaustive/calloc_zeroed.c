// calloc gives zeros.
//pct inputs: unsigned char x, global _Bool no_memory
//pct points: statements
//pct overflow: assume
//pct predicate: a != 0
//pct predicate: a[1] == 0 when a
//pct predicate: a[x & 3] > 4 when a
#include <stdlib.h>
#include "probes.h"

#ifdef PCT_NATIVE
_Bool no_memory;
static short room[4];
static void *zeroed(void) { for (int i = 0; i < 4; i++) room[i] = 0; return room; }
#define calloc(n, m) (no_memory ? (void *)0 : zeroed())
#endif

int f(unsigned char x) {
  short *a = calloc(4, sizeof(short));
  if (OBSX(1) a == 0) {
    OBS(1) return 0;
  }
  OBS(1) a[x & 3] = x;
  OBS(1) a[1] = a[0];
  OBS(1) return a[3];
}
