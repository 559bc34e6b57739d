// A union of a struct and an integer, inside a struct.
//pct inputs: unsigned char x, signed char y
//pct points: statements
//pct overflow: assume
//pct predicate: v.u.part.low == y
//pct predicate: v.u.all > 255
//pct predicate: v.tag && v.u.part.high < 0
#include "probes.h"

struct parts { signed char low, high; };
struct value { _Bool tag; union { unsigned short all; struct parts part; } u; };

int f(unsigned char x, signed char y) {
  struct value v = {0, {x}};
  if (OBSX(1) y < 0) {
    OBS(1) v.u.part.high = y;
    OBS(1) v.tag = 2;
  }
  OBS(1) v.u.part.low = v.u.part.high + 1;
  OBS(1) v.u.all++;
  OBS(1) return v.u.all;
}
