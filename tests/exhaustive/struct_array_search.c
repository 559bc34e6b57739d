// A table of structs is searched with a pointer that runs over it.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: e < table + 3
//pct predicate: e == table + 1
//pct predicate: e->key == x when e < table + 3
//pct predicate: value > 15
#include "probes.h"

struct entry { unsigned char key; int value; };
static const struct entry table[3] = {{3, 10}, {7, 20}, {9, 30}};

int f(unsigned char x) {
  const struct entry *e;
  int value = -1;
  for (e = table; OBSX(1) e < table + 3; e++) {
  Try: OBS(Try)
    if (e->key == x) {
      value = e->value;
      break;
    }
  }
End: OBS(End)
  return value;
}
