/*
 * The partition step of quicksort, after Figure 2(a) of T. Ball, "A Theory of Predicate-Complete Test Coverage and
 * Generation" (MSR-TR-2004-28), with the missing guard at L2.
 *
 * What is true of it:
 *   - It moves the elements <= a[0] before those that are greater, and reads nothing outside the array.
 *   - Observed through the four predicates of partition.pred, 53 states are not excluded, 41 are guaranteed and 50 are
 *     reachable (evaluating a[lo] one past the end as a padding cell). The three unreachable ones are L5, L6, L7 in FFFT:
 *     everything below lo is <= pivot, so a[hi] > pivot is impossible once hi < lo.
 *   - Tracking lo == hi + 1, a[lo - 1] <= pivot and a[hi + 1] > pivot decides all of them.
 *
 *   pct analyze examples/partition/partition_guarded.c --predicates=examples/partition/partition.pred
 */
#include "swap.h"

void assume(int condition);

void partition(int a[], int n)
{
	int pivot = a[0];
	int lo = 1;
	int hi = n - 1;
	assume(n > 2);
L0:	while (lo <= hi) {
L1:		;
L2:		while (lo <= hi && a[lo] <= pivot) {
L3:			lo++;
L4:			;
		}
L5:		while (a[hi] > pivot) {
L6:			hi--;
L7:			;
		}
L8:		if (lo < hi) {
L9:			swap(a, lo, hi);
LA:			;
		}
LB:		;
	}
LC:	;
}
