// Inline assembly: its outputs are not known, nor memory if it says so; a barrier for the compiler changes nothing.
//pct inputs: signed char x
//pct points: statements
//pct overflow: assume
//pct option: --globals initial
//pct predicate: n > 3
//pct predicate: g == 5
//pct predicate: x > 0
#include "probes.h"

static int g;

int f(signed char x) {
  int n = x;
  OBS(1) g = 5;
  OBS(1) __asm__ volatile("" ::: "memory");
  if (OBSX(1) n > 10) {
    OBS(1) __asm__("negl %0" : "=r"(n) : "0"(n));
  }
  OBS(1) __asm__ volatile("movl $3, %0" : "=m"(g));
  OBS(1) __asm__ volatile("nop");
  OBS(1) return n + g;
}
