// Pointers to different parts of one object: a struct and its first member begin at the same place, members are ordered.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: n == 1
//pct predicate: x > 3
#include "probes.h"

struct s { int first, second[2]; };

int f(unsigned char x, unsigned char y) {
  int n = 2;
  struct s s = {x, {y, 0}};
  int *parts[2] = {&s.first, s.second}, *p = parts[x & 1];
  OBS(1) n -= (int *)&s == &s.first;
  OBS(1) n += &s.first < s.second;
  OBS(1) n -= p == s.second;
  if (OBSX(1) p > &s.first) {
    OBS(1) n = (char *)p - (char *)&s;
  }
  OBS(1) n = n / 4 == 1;
  OBS(1) return n;
}
