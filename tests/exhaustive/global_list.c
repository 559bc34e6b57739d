// A list from outside that starts at a global pointer.
//pct inputs: global unsigned char v[2] in 0..5, global int linked in 0..2
//pct points: labels
//pct overflow: assume
//pct predicate: n == 2
//pct predicate: n > 2
//pct predicate: p == 0
#include "probes.h"

struct node { struct node *next; unsigned char v; };
#ifdef PCT_NATIVE
static unsigned char v[2];
static int linked;
static struct node nodes[2];
#define first (nodes[0].v = v[0], nodes[1].v = v[1], nodes[1].next = 0, nodes[0].next = linked > 1 ? &nodes[1] : 0, linked ? nodes : 0)
#else
extern struct node *first;
#endif

int f(void) {
  struct node *p = 0;
  int n = 0;
Start: OBS(Start)
  p = first;
Loop:
  while (OBSX(Loop) p && n < 3) {
    n += p->v;
    p = p->next;
  }
End: OBS(End)
  return n;
}
