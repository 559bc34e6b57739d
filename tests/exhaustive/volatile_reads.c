// Each read of a volatile variable gives another value, which comes from outside.
//pct inputs: global unsigned char values[2], global int next in 0..0
//pct points: statements
//pct overflow: assume
//pct predicate: a == b
//pct predicate: a > 100
//pct predicate: n == 1
#include "probes.h"

#ifdef PCT_NATIVE
static unsigned char values[2];
static int next;
#define port values[next++]
#else
extern volatile unsigned char port;
#endif

int f(void) {
  int a = 0, b = 0, n = 0;
  OBS(1) a = port;
  OBS(1) b = port;
  if (OBSX(1) a != b) {
    OBS(1) n = 1;
  }
  OBS(1) return n;
}
