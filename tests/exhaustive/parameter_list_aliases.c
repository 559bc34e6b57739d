// Nodes of a list from outside may be one and the same node.
//pct inputs: global unsigned char next[2] in 0..1, global unsigned char values[2] in 0..9, argument heap()
//pct points: statements
//pct overflow: assume
//pct predicate: p->next == p
//pct predicate: p->value == 5
//pct predicate: p->next->next == p
//pct predicate: p->next->value > 5
#include "probes.h"

struct node { unsigned char value; struct node *next; };
#ifdef PCT_NATIVE
static unsigned char next[2], values[2];
static struct node nodes[2];
static struct node *heap(void) {
  for (int i = 0; i < 2; i++) {
    nodes[i].value = values[i];
    nodes[i].next = &nodes[next[i]];
  }
  return nodes;
}
#endif

int f(struct node *p) {
  OBS(1) p->value = 5;
  OBS(1) p->next->value++;
  if (OBSX(1) p->value == 6) {
    OBS(1) p->value = 0;
  }
  OBS(1) p->next->next = p;
  OBS(1) return p->value;
}
