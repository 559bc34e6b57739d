// A struct that is a global variable, with members as inputs, and a pointer to it.
//pct inputs: unsigned char x, global unsigned char config.limit in 0..127, global _Bool config.on
//pct points: statements
//pct overflow: assume
//pct predicate: config.on
//pct predicate: config.limit < x
//pct predicate: c->limit == 0
#include "probes.h"

struct config { unsigned char limit; _Bool on; } config;

int f(unsigned char x) {
  struct config *c = &config;
  if ((OBSX(1) c->on) && (OBSX(2) x > config.limit)) {
    OBS(1) config.on = 0;
    OBS(1) c->limit--;
  }
  OBS(1) x = c->limit;
  OBS(1) return x;
}
