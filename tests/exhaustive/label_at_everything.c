// Labels on an expression, an if, a switch, a block, an empty statement, a break and a return.
//pct inputs: signed char x
//pct points: labels
//pct overflow: assume
//pct predicate: x > 0
//pct predicate: x == 3
#include "probes.h"

int f(signed char x) {
Expression: OBS(Expression) x ^= 1;
If: OBS(If) if (x < -5) {
  Block: OBS(Block) {
      x = -x - 1;
    }
  } else {
  Empty: OBS(Empty);
  }
Switch: OBS(Switch) switch (x & 3) {
  case 1:
    x = 3;
  Break: OBS(Break) break;
  default:
    x--;
  }
Return: OBS(Return) return x;
}
