// A buffer of characters is read through a pointer to a struct.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: h->length > 255
//pct predicate: b[0] == 7
//pct predicate: h->kind == y
#include "probes.h"

struct header { unsigned char kind; unsigned char flags; unsigned short length; };

int f(unsigned char x, unsigned char y) {
  _Alignas(2) unsigned char b[4] = {0};
  struct header *h = (struct header *)b;
  OBS(1) b[3] = x;
  OBS(1) b[2] = 1;
  if (OBSX(1) h->length == 257) {
    OBS(1) h->kind = 7;
  }
  OBS(1) return b[0];
}
