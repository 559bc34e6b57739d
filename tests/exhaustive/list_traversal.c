// A list of three local nodes is traversed up to a value.
//pct inputs: unsigned char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: p
//pct predicate: p->value == x when p
//pct predicate: p == &b
//pct predicate: n == 3
#include "probes.h"

struct node { unsigned char value; struct node *next; };

int f(unsigned char x, unsigned char y) {
  struct node c = {9, 0}, b = {y, &c}, a = {3, &b};
  struct node *p = &a;
  int n = 0;
Loop:
  while ((OBSX(Loop) p) && p->value != x) {
    n++;
    p = p->next;
  }
End: OBS(End)
  return n;
}
