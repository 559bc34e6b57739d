// A list node on the heap, linked to a local one.
//pct inputs: unsigned char x, global _Bool no_memory
//pct points: labels
//pct overflow: assume
//pct predicate: list->value == x
//pct predicate: list->next != 0
//pct predicate: sum > 250
#include <stdlib.h>
#include "probes.h"

struct node { unsigned char value; struct node *next; };

#ifdef PCT_NATIVE
_Bool no_memory;
static struct node room;
#define malloc(n) (no_memory ? (void *)0 : (void *)&room)
#define free(p) 0
#endif

int f(unsigned char x) {
  struct node last = {7, 0};
  struct node *list = &last;
  struct node *p;
  int sum = 0;
Start: OBS(Start)
  p = malloc(sizeof(struct node));
  if (p != 0) {
    p->value = x;
    p->next = list;
    list = p;
  }
Linked: OBS(Linked)
  sum = list->value;
  if (list->next)
    sum += list->next->value;
End: OBS(End)
  return sum;
}
