/*
 * The partition step of quicksort, after Figure 2(a) of T. Ball, "A Theory of Predicate-Complete Test Coverage and
 * Generation" (MSR-TR-2004-28), with its bug.
 *
 * What is true of it:
 *   - It moves the elements <= a[0] before those that are greater.
 *   - The loop at L2 lacks the guard `lo <= hi`: if every element from lo on is <= pivot, lo runs past the end of the
 *     array. It takes at least two rounds of L3 to get there.
 *   - hi never becomes negative, because a[0] is the pivot itself.
 *   - Observed through lo < hi, lo <= hi, a[lo] <= pivot and a[hi] > pivot (partition.pred), 49 states are not
 *     excluded and 43 are guaranteed. The other six: L2, L3, L4 in FFTF can be reached (past the end of the array),
 *     L5, L6, L7 in FFFT cannot: everything below lo is <= pivot.
 *
 *   pct analyze examples/partition/partition.c --predicates=examples/partition/partition.pred
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
L2:		while (a[lo] <= pivot) {
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
