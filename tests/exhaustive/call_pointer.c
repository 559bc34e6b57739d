// Pointer parameters that stand for variables of the caller.
//pct inputs: signed char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: x < y
//pct predicate: x == 0
//pct predicate: n > 0
#include "probes.h"

static void swap(signed char *a, signed char *b) {
  signed char t = *a;
  *a = *b;
  *b = t;
}

static int bump(int *counter) {
  (*counter)++;
  return *counter > 1;
}

int f(signed char x, signed char y) {
  int n = 0;
  if (OBSX(1) x > y) {
    OBS(1) swap(&x, &y);
    OBS(1) bump(&n);
  }
  if (OBSX(1) bump(&n)) {
    OBS(1) x = 0;
  }
  OBS(1) return x;
}
