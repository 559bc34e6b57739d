// The address of a local variable is kept in a struct of the caller for a while.
//pct inputs: global unsigned char cell, argument at()
//pct points: statements
//pct overflow: assume
//pct predicate: x == 5
//pct predicate: x > 9
//pct predicate: n == 1
#include "probes.h"

struct holder { unsigned char *p; };
#ifdef PCT_NATIVE
static unsigned char cell;
static struct holder holder;
static struct holder *at(void) {
  holder.p = &cell;
  return &holder;
}
#endif

int f(struct holder *h) {
  unsigned char x = 3;
  int n = *h->p > 100;
  OBS(1) x = *h->p;
  OBS(1) h->p = &x;
  if (OBSX(1) *h->p == 7) {
    OBS(1) *h->p = 5;
  }
  OBS(1) (*h->p)++;
  OBS(1) return x;
}
