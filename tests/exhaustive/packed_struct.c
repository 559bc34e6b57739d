// Attributes that change the layout are seen by sizeof and offsetof.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: n == 5
//pct predicate: s.i == x
//pct predicate: n > x
#include <stddef.h>
#include "probes.h"

struct packed { char c; int i; } __attribute__((packed));
struct wide { char c; int i __attribute__((aligned(16))); };
struct flexible { short n; int a[]; };

int f(unsigned char x) {
  struct packed s = {1, x};
  int n = 0;
  OBS(1) n = sizeof s;
  OBS(1) n = sizeof(struct wide) - offsetof(struct wide, i);
  OBS(1) n = offsetof(struct packed, i) + sizeof(struct flexible) + _Alignof(struct wide) - 16;
  OBS(1) s.i -= s.c;
  OBS(1) return n;
}
