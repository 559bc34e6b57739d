// A callee that fills a struct through a pointer and returns a status, chained by &&.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: d.day == 31
//pct predicate: d.month > 12
//pct predicate: ok
#include "probes.h"

struct date { unsigned char day, month; };

static int parse(unsigned char v, unsigned char limit, unsigned char *out) {
  if (v == 0 || v > limit)
    return 0;
  *out = v;
  return 1;
}

int f(unsigned char x, unsigned char y) {
  struct date d = {0, 99};
  int ok = 0;
  if ((OBSX(1) parse(x, 31, &d.day)) && (OBSX(2) parse(y, 12, &d.month))) {
    OBS(1) ok = 1;
  }
  OBS(1) return ok;
}
