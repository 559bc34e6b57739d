// Inline assembly that does nothing: a barrier for the compiler keeps everything, what it could have written is not known.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct predicate: n > 3
//pct predicate: g == 5
//pct predicate: x > 0
#include "probes.h"

int f(signed char x) {
  int n = x;
  int g = 0;
  OBS(1) g = 5;
  OBS(1) __asm__ volatile("" ::: "memory");
  if (OBSX(1) n > 10) {
    OBS(1) __asm__("" : "+r"(n));
  }
  OBS(1) __asm__ volatile("nop");
  OBS(1) return n + g;
}
