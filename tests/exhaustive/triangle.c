// The triangle of the testing books, with one side fixed.
//pct inputs: unsigned char a, unsigned char b
//pct points: statements
//pct overflow: assume
//pct predicate: a == b
//pct predicate: b == c
//pct predicate: kind == 2
#include "probes.h"

int f(unsigned char a, unsigned char b) {
  int c = 100;
  int kind = 0;
  if (OBSX(1) a + b > c && (OBSX(2) b + c > a) && (OBSX(3) a + c > b)) {
    OBS(1) kind = 1;
    if (OBSX(1) a == b || (OBSX(2) b == c) || (OBSX(3) a == c)) {
      OBS(1) kind = a == b && (OBSX(2) b == c) ? 3 : 2;
    }
  }
  OBS(1) return kind;
}
