// A pointer to a function is chosen, compared, and may be null.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: op == add
//pct predicate: op
//pct predicate: n > x
#include "probes.h"

typedef int operation(int, int);
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }

int f(unsigned char x) {
  operation *op = 0;
  int n = 5;
  if (OBSX(1) x > 9) {
    OBS(1) op = x > 99 ? add : &subtract;
  }
  if (OBSX(1) op) {
    OBS(1) n = op(x, n);
    OBS(1) n = (*op)(n, 1);
  }
  OBS(1) op = subtract;
  OBS(1) return n;
}
