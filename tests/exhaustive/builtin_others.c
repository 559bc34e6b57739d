// Builtins that choose, allocate on the stack, or say something to the compiler; the size of an array with a variable length.
//pct inputs: unsigned char x
//pct points: statements
//pct overflow: assume
//pct predicate: n > 3
//pct predicate: n == 5
//pct predicate: k == 12
#include <stddef.h>
#include "probes.h"

struct s { int a; short b[8]; };

int f(unsigned char x) {
  int n = __builtin_choose_expr(sizeof(short) == 2, x, "no");
  int *p = __builtin_alloca(2 * sizeof(int));
  unsigned long k = 0;
  OBS(1) p[1] = __builtin_expect(x & 7, 3);
  OBS(1) n = __builtin_constant_p(7) + 2 * __builtin_types_compatible_p(__typeof__(p), __typeof__(*p));
  OBS(1) k = sizeof(char[x + 2]);
  OBS(1) k = offsetof(struct s, b[x & 7]);
  OBS(1) n = ((int *)__builtin_assume_aligned(p, 4))[1];
  OBS(1) return n;
}
