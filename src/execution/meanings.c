/* What pct means by some functions that C does not have. The program's own definitions win. */
#include <stdlib.h>

#define WEAK __attribute__((weak))

/* An assumption that does not hold: the run does not count. */
WEAK void assume(int condition) { if (!condition) exit(0); }
WEAK void __VERIFIER_assume(int condition) { if (!condition) exit(0); }
WEAK void __CPROVER_assume(int condition) { if (!condition) exit(0); }
#ifndef __clang__
WEAK void __builtin_assume(int condition) { if (!condition) exit(0); }
#endif

/* Something that must not happen. */
WEAK void __VERIFIER_assert(int condition) { if (!condition) abort(); }
WEAK void __CPROVER_assert(int condition, const char *text) { (void)text; if (!condition) abort(); }
WEAK void __VERIFIER_error(void) { abort(); }
WEAK void reach_error(void) { abort(); }
