// Static local variables of the function and of a callee; the native run resets them where it returns.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct option: --globals initial
//pct predicate: n == 2
//pct predicate: r > 1
//pct predicate: x > 1
#include "probes.h"

#ifdef PCT_NATIVE
#define RESET (n = 0, count(1));
#else
#define RESET
#endif

static int count(_Bool again) {
  static int calls = 5;
  if (again)
    calls = 5;
  else
    calls++;
  return calls - 5;
}

int f(unsigned char x) {
  static unsigned char n;
  int r = 0;
  OBS(1) r = count(0);
  OBS(1) n++;
  if (OBSX(1) x > 1) {
    OBS(1) r = count(0);
    OBS(1) n += r * x;
  }
  OBS(1) RESET return r;
}
