// A struct tag that an inner block declares again.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: s.a == 200
//pct predicate: t.a < 0
//pct predicate: sizeof s > 4
#include "probes.h"

struct s { unsigned char a; };

int f(unsigned char x) {
  struct s s = {x};
  if (OBSXV(1, x_x) s.a > 100) {
    struct s { signed char a; int b; };
    OBSV(1, x_x) struct s t = {x, 200};
    OBS(1) s.a = t.b;
    {
      OBS(1) struct s s = {t.a, t.b + 1};
      OBSV(1, xxx) t.a = s.a / 2;
    }
  }
  OBSV(1, x_x) return s.a;
}
