// The index and the pointer of a compound assignment are evaluated once.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: i == 2
//pct predicate: a[1] == 5
//pct predicate: p == a + 2
//pct predicate: a[0] > a[1]
#include "probes.h"

static int *at(int *a, int *i) {
  (*i)++;
  return a + *i - 1;
}

int f(unsigned char x) {
  int a[4] = {x, 2, 3, 4}, i = 0;
  int *p = a;
  OBS(1) a[i++] += 3;
  OBS(1) *at(a, &i) += 3;
  OBS(1) *p++ += 2;
  OBS(1) (*p++)--;
  if (OBSX(1) *p-- == 3) {
    OBS(1) *(x > 9 ? &a[0] : &a[1]) -= 1;
  }
  OBS(1) i = *p++ + *p;
  OBS(1) return i;
}
