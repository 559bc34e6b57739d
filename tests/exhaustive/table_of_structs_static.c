// A static table in the function, with pointers and functions in it.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: r == 3
//pct predicate: c->step > 1
//pct predicate: c == commands
#include "probes.h"

static int up(int n) { return n + 1; }
static int down(int n) { return n - 1; }
struct command { char name; int step; int (*run)(int); };

int f(unsigned char x) {
  static const struct command commands[2] = {{'u', 1, up}, {'d', 2, down}};
  const struct command *c = commands;
  int r = 2;
  if (OBSX(1) x != c->name) {
    OBS(1) c++;
  }
  OBS(1) r = c->run(r) * commands[x & 1].step;
  OBS(1) return r;
}
