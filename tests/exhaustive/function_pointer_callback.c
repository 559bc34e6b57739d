// A callback with a void pointer to its data.
//pct inputs: unsigned char a[2]
//pct points: statements
//pct overflow: assume
//pct predicate: c.sum > 9
//pct predicate: c.largest == a[1]
//pct predicate: n == 2
#include "probes.h"

struct context { int sum; unsigned char largest; };

static void collect(unsigned char v, void *data) {
  struct context *c = data;
  c->sum += v;
  if (v > c->largest)
    c->largest = v;
}

static void count(unsigned char v, void *data) { (*(int *)data) += v != 0; }

static void each(unsigned char *a, void (*visit)(unsigned char, void *), void *data) {
  visit(a[0], data);
  visit(a[1], data);
}

int f(unsigned char a[2]) {
  struct context c = {0, 0};
  int n = 0;
  OBS(1) each(a, collect, &c);
  OBS(1) each(a, count, &n);
  OBS(1) return c.sum;
}
