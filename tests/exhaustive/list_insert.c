// Inserting into a sorted list through a pointer to the link.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: *link == 0
//pct predicate: head == &c
//pct predicate: a.next == &c
//pct predicate: c.next == &b
#include "probes.h"

struct node { unsigned char value; struct node *next; };

int f(unsigned char x) {
  struct node b = {20, 0}, a = {10, &b}, c = {x, 0};
  struct node *head = &a;
  struct node **link = &head;
Loop:
  while ((OBSX(Loop) *link) && (*link)->value < x)
    link = &(*link)->next;
Found: OBS(Found)
  c.next = *link;
  *link = &c;
End: OBS(End)
  return head->next->value;
}
