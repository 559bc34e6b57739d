// A tree from outside whose branches may be one node.
//pct inputs: global unsigned char values[2] in 0..9, global _Bool same, argument at()
//pct points: statements
//pct overflow: assume
//pct predicate: t->left->v == 5
//pct predicate: t->right->v == 5
//pct predicate: t->left == t->right
#include "probes.h"

struct tree { struct tree *left, *right; unsigned char v; };
#ifdef PCT_NATIVE
static unsigned char values[2];
static _Bool same;
static struct tree nodes[3];
static struct tree *at(void) {
  nodes[1].v = values[0];
  nodes[2].v = values[1];
  nodes[0].left = &nodes[1];
  nodes[0].right = &nodes[same ? 1 : 2];
  return nodes;
}
#endif

int f(struct tree *t) {
  OBS(1) t->left->v = 5;
  OBS(1) t->right->v = t->left->v + 1;
  if (OBSX(1) t->left->v == 6) {
    OBS(1) t->right = t;
    OBS(1) t->v = 5;
  }
  OBS(1) return t->right->v;
}
