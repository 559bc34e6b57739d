// Memory that may not be there: whether it is, and what it holds, comes from outside.
//pct inputs: unsigned char x, global _Bool no_memory, global int room in 7..9
//pct points: statements
//pct overflow: assume
//pct predicate: p == 0
//pct predicate: *p == 8 when p
//pct predicate: r == 1
#include <stdlib.h>
#include "probes.h"

#ifdef PCT_NATIVE
_Bool no_memory;
int room;
#define malloc(n) (no_memory ? (void *)0 : (void *)&room)
#define free(p) 0
#endif

int f(unsigned char x) {
  int r = 0;
  int *p = malloc(sizeof *p);
  if (OBSX(1) !p) {
    OBS(1) return 1;
  }
  OBS(1) *p = x;
  if (OBSX(1) *p > 7) {
    OBS(1) r = *p == 8;
  }
  OBS(1) free(p);
  OBS(1) return r;
}
