// Two structs that hold pointers to a third; copies share it.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: s.shared->n == t.shared->n
//pct predicate: s.own > t.own
//pct predicate: *s.shared->p == 0
#include "probes.h"

struct common { int n; unsigned char *p; };
struct s { struct common *shared; unsigned char own; };

int f(unsigned char x, unsigned char y) {
  struct common c = {1, &x}, d = {2, &y};
  struct s s = {&c, x}, t = {&d, y};
  if (OBSX(1) x > y) {
    OBS(1) t = s;
  }
  OBS(1) t.shared->n++;
  OBS(1) t.own = 0;
  OBS(1) *t.shared->p = 0;
  OBS(1) s.shared->p = t.shared->p;
  OBS(1) return x;
}
