// A list from outside: any shape of three nodes, also with cycles.
//pct inputs: global unsigned char next[3] in 0..3, global unsigned char values[3] in 0..2, argument heap()
//pct points: labels
//pct overflow: assume
//pct predicate: p != 0
//pct predicate: p->value == 1 when p
//pct predicate: n == 2
#include "probes.h"

struct node { unsigned char value; struct node *next; };
#ifdef PCT_NATIVE
static unsigned char next[3], values[3];
static struct node nodes[3];
static struct node *heap(void) {
  for (int i = 0; i < 3; i++) {
    nodes[i].value = values[i];
    nodes[i].next = next[i] == 3 ? 0 : &nodes[next[i]];
  }
  return nodes;
}
#endif

int f(struct node *p) {
  int n = 0;
Loop:
  while ((OBSX(Loop) p) && n < 3) {
    if (p->value == 1)
      n++;
    p->value = n;
    p = p->next;
    if (n == 0)
      n++;
  }
End: OBS(End)
  return n;
}
