// A small tree of local nodes, searched by a pointer.
//pct inputs: unsigned char x, unsigned char y
//pct points: labels
//pct overflow: assume
//pct predicate: p != 0
//pct predicate: p == &left
//pct predicate: p->key == x when p
//pct predicate: depth > 1
#include "probes.h"

struct tree { unsigned char key; struct tree *child[2]; };

int f(unsigned char x, unsigned char y) {
  struct tree left = {y}, right = {90, {0, 0}};
  struct tree root = {50, {&left, &right}};
  struct tree *p = &root;
  int depth = 0;
Loop:
  while ((OBSX(Loop) p) && p->key != x) {
    p = p->child[x > p->key];
    depth++;
  }
End: OBS(End)
  return depth;
}
