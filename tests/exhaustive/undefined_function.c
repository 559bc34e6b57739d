// A function without a body returns anything, and may change what it is given a pointer to.
//pct inputs: global unsigned char results[2], global int next in 0..0
//pct points: statements
//pct overflow: assume
//pct predicate: a > 3
//pct predicate: a == b
//pct predicate: s.n == 1
#include "probes.h"

struct s { unsigned char n; };
#ifdef PCT_NATIVE
static unsigned char results[2];
static int next;
static unsigned char get(void) { return results[next++]; }
static void fill(struct s *s) { s->n = results[next++]; }
#else
unsigned char get(void);
void fill(struct s *s);
#endif

int f(void) {
  struct s s = {1};
  unsigned char a = 0, b = 0;
  OBS(1) a = get();
  OBS(1) fill(&s);
  OBS(1) b = s.n;
  OBS(1) return a == b;
}
