// Enumerations with negative and repeated values, as variables and in a switch.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: l == LOW
//pct predicate: l < NONE
//pct predicate: n == HIGH
#include "probes.h"

enum level { LOW = -2, MINUS, NONE, SAME = 0, HIGH = NONE + 5 };
enum flags { A = 1, B = A << 1, AB = A | B };

static enum level level_of(int x) { return x < 0 ? LOW : x ? HIGH : NONE; }

int f(signed char x) {
  enum level l = HIGH;
  int n = AB;
  OBS(1) l = level_of(x);
  OBS(1) switch (l) {
  case LOW:
    OBS(1) l++;
    OBS(1) break;
  case SAME:
    OBS(1) n = sizeof l + 1;
  default:
    OBS(1) n |= l;
  }
  if (OBSX(1) l == MINUS) {
    OBS(1) l = (enum level)n - AB;
  }
  OBS(1) return l;
}
