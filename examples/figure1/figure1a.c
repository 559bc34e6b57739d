/*
 * After Figure 1(a) (and 6) of T. Ball, "A Theory of Predicate-Complete Test Coverage and Generation".
 *
 * What is true of it, observed through x < 0:
 *   - Ten states are reachable; the tests x = -1 and x = 1 reach all of them.
 *   - These tests miss a feasible path: L0, L1, L2, L4, L5, L6 needs x = -2. So reaching every observable state is less
 *     than covering every path.
 *   - With mathematical integers L4:T -> L5:T is must-: every negative x is some smaller one plus 1. With machine
 *     integers it is not: INT_MIN is no successor of anything.
 *
 *   pct analyze examples/figure1/figure1a.c --arith ideal
 */
void figure1a(int x)
{
	int y;
L0:	y = 0;
L1:	if (x < 0) {
L2:		;
	} else {
L3:		x = -2;
	}
L4:	x = x + 1;
L5:	if (x < 0) {
L6:		y = 1;
	}
}
