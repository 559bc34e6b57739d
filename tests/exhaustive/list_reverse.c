// A list is reversed in place.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: p == 0
//pct predicate: done == &b
//pct predicate: b.next == &a
//pct predicate: done->v > x when done
#include "probes.h"

struct node { struct node *next; int v; };

int f(unsigned char x) {
  struct node c = {0, 5}, b = {&c, 6}, a = {&b, 7};
  struct node *p = x & 1 ? &a : &b, *done = 0;
Loop:
  while (OBSX(Loop) p != 0) {
    struct node *next = p->next;
    p->next = done;
    done = p;
    p = next;
  }
End: OBS(End)
  return done->v;
}
