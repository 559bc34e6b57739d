// `?:` on structs, the comma operator on structs, and a member of a result.
//pct inputs: unsigned char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: r.a == s.a
//pct predicate: r.b == 2
//pct predicate: s.a > t.a
#include "probes.h"

struct pair { unsigned char a; int b; };

int f(unsigned char x, unsigned char y) {
  struct pair s = {x, 1}, t = {y, 2}, r = s;
Start: OBS(Start)
  r = x > y ? s : t;
Chosen: OBS(Chosen)
  s.a = (x < 9 ? t : r).a;
Member: OBS(Member)
  r = (s.a++, s);
End: OBS(End)
  return r.b;
}
