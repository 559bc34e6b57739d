// A ring buffer in a struct, filled and emptied by callees.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: r.count == 2
//pct predicate: r.data[0] == x
//pct predicate: out == y
#include "probes.h"

struct ring { unsigned char data[2]; unsigned head : 1, count : 2; };

static _Bool put(struct ring *r, unsigned char v) {
  if (r->count == 2)
    return 0;
  r->data[(r->head + r->count++) & 1] = v;
  return 1;
}

static int get(struct ring *r) {
  if (!r->count)
    return -1;
  r->count--;
  return r->data[r->head++];
}

int f(unsigned char x, unsigned char y) {
  struct ring r = {0};
  int out = 0;
  OBS(1) put(&r, x);
  OBS(1) put(&r, y);
  OBS(1) out = put(&r, 3);
  OBS(1) out = get(&r);
  OBS(1) put(&r, 7);
  OBS(1) out = get(&r);
  OBS(1) return out;
}
