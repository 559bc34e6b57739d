// Two pointer parameters that may be one.
//pct inputs: global unsigned char cells[2] in 0..9, argument &cells[0], global _Bool same, argument second()
//pct points: statements
//pct overflow: assume
//pct option: --may-alias
//pct predicate: *p == 5
//pct predicate: *q == 6
#include "probes.h"

#ifdef PCT_NATIVE
static unsigned char cells[2];
static _Bool same;
static unsigned char *second(void) { return &cells[!same]; }
#endif

int f(unsigned char *p, unsigned char *q) {
  OBS(1) *p = 5;
  OBS(1) *q = 6;
  if (OBSX(1) *p == 6) {
    OBS(1) *p = 7;
  }
  OBS(1) return *q;
}
