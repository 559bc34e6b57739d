/*
 * Median filters: of three samples by comparisons, of five by a sorted copy.
 *
 * What is true of median3():
 *   - It returns the middle one of its arguments, whichever order they have.
 *   - Of the eight valuations of its three comparisons two are impossible: a > b, b > c but not a > c, and the reverse
 *     with a <= b, b <= c but a > c.
 * What is true of median_filter():
 *   - The two samples at each end are copied, the others are replaced by the median of their five neighbours.
 *   - For n < 5 the output is a copy of the input.
 *   - A single outlier among equal samples disappears, unless it is one of the two at an end.
 *
 *   pct analyze examples/signals/median_filter.c -f median3
 */
#include <stdint.h>

typedef int16_t sample_t;

sample_t median3(sample_t a, sample_t b, sample_t c)
{
	if (a > b) {
		if (b > c)
			return b;
		return a > c ? c : a;
	}
	if (b > c)
		return a > c ? a : c;
	return b;
}

static sample_t median5(const sample_t *s)
{
	sample_t sorted[5];
	int i, j;

	for (i = 0; i < 5; i++) {
		for (j = i; j > 0 && sorted[j - 1] > s[i]; j--)
			sorted[j] = sorted[j - 1];
		sorted[j] = s[i];
	}
	return sorted[2];
}

void median_filter(const sample_t *in, sample_t *out, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (i < 2 || i >= n - 2)
			out[i] = in[i];
		else
			out[i] = median5(&in[i - 2]);
	}
}
