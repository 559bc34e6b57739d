// A loop with two ways through its body.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: n == 1
//pct predicate: n % 2 == 0
//pct predicate: n > 255
#include "probes.h"

int f(unsigned char x) {
  int n = x + 1;
  while (OBSX(1) n != 1) {
    if (OBSX(1) n % 2 == 0) {
      OBS(1) n /= 2;
    } else {
      OBS(1) n = 3 * n + 1;
    }
  }
  OBS(1) return n;
}
