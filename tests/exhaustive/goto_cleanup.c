// Error handling by jumps to a chain of labels.
//pct inputs: unsigned char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: r < 0
//pct predicate: held.a
//pct predicate: held.b
#include "probes.h"

struct held { _Bool a, b; };

static int take(_Bool *what, int ok) {
  *what = ok;
  return ok ? 0 : -1;
}

int f(unsigned char x, unsigned char y) {
  struct held held = {0, 0};
  int r = 0;
Start: OBS(Start)
  r = take(&held.a, x > 9);
  if (r < 0)
    goto out;
  r = take(&held.b, y > x);
  if (r < 0)
    goto release_a;
Both: OBS(Both)
  r = y == 255 ? -2 : 1;
  if (r < 0)
    goto release_b;
  goto out;
release_b: OBS(release_b)
  held.b = 0;
release_a: OBS(release_a)
  held.a = 0;
out: OBS(out)
  return r;
}
