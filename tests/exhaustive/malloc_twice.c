// Two cells are different, and a callee that allocates gives a new one each time.
//pct inputs: unsigned char x, global int used in 0..0
//pct points: labels
//pct overflow: assume
//pct predicate: *p == 1
//pct predicate: *q == 2
//pct predicate: p == q
#include <stdlib.h>
#include "probes.h"

#ifdef PCT_NATIVE
static int used;
static int room[4];
#define malloc(n) (&room[used++])
#endif

static int *cell(int v) {
  int *p = malloc(sizeof(int));
  if (!p)
    abort();
  *p = v;
  return p;
}

int f(unsigned char x) {
  int *p = cell(1), *q = cell(x & 1 ? 2 : 3);
Start: OBS(Start)
  if (x & 2)
    q = p;
Next: OBS(Next)
  *q = 2;
End: OBS(End)
  return *p;
}
