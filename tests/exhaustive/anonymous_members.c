// Anonymous structs and unions as members.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: v.low == 3
//pct predicate: v.word < 0
//pct predicate: v.kind == v.high
#include "probes.h"

struct value {
  int kind;
  union {
    short word;
    struct { unsigned char low, high; };
  };
};

int f(unsigned char x) {
  struct value v = {.kind = 1, .word = x * 3};
  OBS(1) v.high += x;
  if (OBSX(1) v.word < 0) {
    OBS(1) v.low = 3;
  }
  OBS(1) v.kind = v.high;
  OBS(1) return v.kind;
}
