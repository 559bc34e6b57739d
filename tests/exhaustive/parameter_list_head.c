// Taking the first node off a list from outside, through a pointer to its head.
//pct inputs: global unsigned char length in 0..2, global unsigned char v in 0..9, argument at()
//pct points: statements
//pct overflow: assume
//pct predicate: *head
//pct predicate: n->v == 3 when n
//pct predicate: r == 1
#include "probes.h"

struct node { int v; struct node *next; };
#ifdef PCT_NATIVE
static unsigned char length, v;
static struct node nodes[2], *list;
static struct node **at(void) {
  nodes[0].v = v;
  nodes[1].v = v / 2;
  nodes[0].next = length > 1 ? &nodes[1] : 0;
  nodes[1].next = 0;
  list = length > 0 ? nodes : 0;
  return &list;
}
#endif

int f(struct node **head) {
  struct node *n = 0;
  int r = 0;
  if (OBSX(1) *head) {
    OBS(1) n = *head;
    OBS(1) *head = n->next;
    OBS(1) n->v = 3;
  }
  OBS(1) r = n == *head;
  OBS(1) return r;
}
