// A queue with a pointer to its last link.
//pct inputs: unsigned char x, unsigned char y
//pct points: statements
//pct overflow: assume
//pct predicate: q.head == &a
//pct predicate: *q.tail == 0 when q.tail
//pct predicate: q.head->next == &b when q.head
//pct predicate: q.tail == &q.head
#include "probes.h"

struct node { unsigned char v; struct node *next; };
struct queue { struct node *head, **tail; };

static void append(struct queue *q, struct node *n) {
  n->next = 0;
  *q->tail = n;
  q->tail = &n->next;
}

int f(unsigned char x, unsigned char y) {
  struct node a = {x, 0}, b = {y, 0};
  struct queue q = {0, 0};
  OBS(1) q.tail = &q.head;
  if (OBSX(1) x > y) {
    OBS(1) append(&q, &a);
  }
  OBS(1) append(&q, &b);
  OBS(1) q.head = q.head->next;
  if (OBSX(1) !q.head) {
    OBS(1) q.tail = &q.head;
  }
  OBS(1) return q.head == 0;
}
