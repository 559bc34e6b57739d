// Scanning an array parameter for its end.
//pct inputs: unsigned char a[2]
//pct points: statements
//pct overflow: assume
//pct predicate: n == 0
//pct predicate: n < 2
//pct predicate: a[0] == 0
#include "probes.h"

int f(unsigned char a[2]) {
  int n = 0;
  while (OBSX(1) n < 2 && (OBSX(2) a[n] != 0)) {
    OBS(1) n++;
  }
  OBS(1) return n;
}
