// Each round of a loop gets another cell.
//pct inputs: unsigned char x, global int used in 0..0
//pct points: labels
//pct overflow: assume
//pct predicate: n == 2
//pct predicate: list != 0
//pct predicate: sum == 3
#include <stdlib.h>
#include "probes.h"

struct node { int value; struct node *next; };
#ifdef PCT_NATIVE
static int used;
static struct node room[4];
#define malloc(n) (&room[used++])
#endif

int f(unsigned char x) {
  struct node *list = 0, *p;
  int n = 0, sum = 0;
Loop:
  while (OBSX(Loop) n < 2) {
    p = malloc(sizeof *p);
    if (!p)
      abort();
    p->value = n + 1;
    p->next = list;
    list = p;
    n++;
  }
  sum = list->value;
  if (list->next)
    sum += list->next->value;
End: OBS(End)
  return sum;
}
