// A parameter that points to a struct which the caller has.
//pct inputs: global unsigned char s.a, global unsigned char s.b in 0..9, argument &s
//pct points: statements
//pct overflow: assume
//pct predicate: p->a > 3
//pct predicate: p->a == p->b
//pct predicate: n == 1
#include "probes.h"

struct pair { unsigned char a, b; };
#ifdef PCT_NATIVE
struct pair s;
#endif

int f(struct pair *p) {
  int n = 0;
  if (OBSX(1) p->a > p->b) {
    OBS(1) n = 1;
    OBS(1) p->b = p->a;
  }
  OBS(1) p->a++;
  OBS(1) return n;
}
