// The largest of two elements and a number.
//pct inputs: unsigned char a[2]
//pct points: statements
//pct overflow: assume
//pct predicate: m >= a[0]
//pct predicate: m >= a[1]
//pct predicate: m == 50
#include "probes.h"

int f(unsigned char a[2]) {
  int m = 50;
  for (OBSX(1) m = 50; OBSX(2) m < a[0]; OBSX(3) m = a[0]) {
    OBS(1) ;
  }
  if (OBSX(1) a[1] > m) {
    OBS(1) m = a[1];
  }
  OBS(1) return m;
}
