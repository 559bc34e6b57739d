// Hexadecimal, octal and decimal constants with suffixes; 0xffffffff is unsigned, 4294967295 is long.
//pct inputs: signed char x
//pct points: labels
//pct overflow: assume
//pct predicate: x < 0xffffffff
//pct predicate: x < 4294967295
//pct predicate: y == 0100
//pct predicate: x > 010
#include "probes.h"

int f(signed char x) {
  long y = x + 0x10L;
Start: OBS(Start)
  if (y == 077 + 1U || y == 0x7fuLL) {
  Found: OBS(Found)
    y = 0x8000000000000000 >> 63;
  }
End: OBS(End)
  return y;
}
