/*
 * After Figure 1(b) of T. Ball, "A Theory of Predicate-Complete Test Coverage and Generation".
 *
 * What is true of it, observed through its two conditions:
 *   - There are three paths, and three tests cover them.
 *   - There are eleven reachable states, and at L4 all four valuations: three tests miss one of them. So covering
 *     every path is less than reaching every observable state.
 *
 *   pct analyze examples/figure1/figure1b.c
 */
void figure1b(int p, int q)
{
	int x = 1;
L1:	if (p) {
L2:		if (q) {
L3:			x = 0;
		}
	}
L4:	;
}
