/* Probes of the functions in this folder: nothing for pct, observations for the native harness, which defines them
 * before it includes the file (tests/suite/soundness/cases.rs).
 *
 *   OBS(k)  stmt     observe a point before a statement
 *   OBSX(k) expr     observe a point before an expression (put it in parentheses within a larger one)
 *   OBSV(k, x_) stmt, OBSXV(k, x_) expr
 *                    the same, where not all predicates are visible: one character for each, `_` for one that is not
 *
 * k is the name of a label, or a number: the k-th point on this line, called L<line> or L<line>.<k>.
 *
 * PCT_NATIVE is defined for the native run only: there a file can say how what comes from outside (memory, volatile
 * variables, functions without a body) is taken from its inputs. */
#ifndef OBS
#define OBS(k)
#define OBSX(k)
#define OBSV(k, visible)
#define OBSXV(k, visible)
#endif

void assume(int condition);
