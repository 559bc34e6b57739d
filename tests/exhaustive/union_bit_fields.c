// The bits of a number as bit-fields.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: u.f.low == 3
//pct predicate: u.f.sign < 0
//pct predicate: u.all == 0x80
#include "probes.h"

union reg { unsigned char all; struct { unsigned char low : 3; unsigned char mid : 4; signed char sign : 1; } f; };

int f(unsigned char x) {
  union reg u = {0x80};
  OBS(1) u.all = x;
  OBS(1) u.f.mid = x;
  OBS(1) u.f.low++;
  if (OBSX(1) u.f.sign) {
    OBS(1) u.all <<= 1;
  }
  OBS(1) return u.all;
}
