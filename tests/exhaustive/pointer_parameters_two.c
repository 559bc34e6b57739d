// Two pointer parameters that are reassigned; they point to different objects.
//pct inputs: unsigned char a[1], signed char b[1]
//pct points: statements
//pct overflow: assume
//pct predicate: *a > 3
//pct predicate: *b < 0
//pct predicate: *a == *b
#include "probes.h"

int f(unsigned char *a, signed char *b) {
  unsigned char *t = a;
  if (OBSX(1) *b < 0) {
    OBS(1) *t = *b;
  }
  OBS(1) *b = *a;
  OBS(1) a[0] /= 2;
  OBS(1) return *b;
}
