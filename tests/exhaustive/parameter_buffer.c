// A struct from outside that holds a pointer to its data.
//pct inputs: global unsigned char data[2], argument at()
//pct points: statements
//pct overflow: assume
//pct predicate: b->data[0] > 9
//pct predicate: b->data[1] == 7
//pct predicate: n == 1
#include "probes.h"

struct buffer { int n; unsigned char *data; };
#ifdef PCT_NATIVE
static unsigned char data[2];
static struct buffer buffer;
static struct buffer *at(void) {
  buffer.data = data;
  return &buffer;
}
#endif

int f(struct buffer *b) {
  int n = 0;
  if (OBSX(1) b->data[0] > b->data[1]) {
    OBS(1) n = 1;
    OBS(1) *b->data = 3;
  }
  OBS(1) b->data[n] = 7;
  OBS(1) b->data++;
  OBS(1) b->data--;
  OBS(1) return n;
}
