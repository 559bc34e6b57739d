// Global variables are inputs of the function; a helper changes one.
//pct inputs: global unsigned char g, global signed char h
//pct points: statements
//pct overflow: assume
//pct predicate: g > 100
//pct predicate: h < 0
//pct predicate: g == h
#include "probes.h"

unsigned char g;
signed char h = 5;

static void raise(int by) {
  g += by;
}

int f(void) {
  if (OBSX(1) h < 0) {
    OBS(1) raise(h);
  } else {
    OBS(1) h = g;
  }
  OBS(1) g--;
  OBS(1) return g;
}
