/*
 * Binary search in a sorted table of calibration points, and linear interpolation between two of them.
 *
 * What is true of find_segment():
 *   - For a table sorted strictly by x, it returns i with x[i] <= key < x[i + 1]; -1 if key lies before the first
 *     point, n - 1 if it lies at or after the last one.
 *   - 0 <= low <= high <= n at the head of the loop. `low + (high - low) / 2` cannot overflow.
 *   - The loop ends for every table, sorted or not: high - low shrinks in each round.
 *   - middle < high within the loop, so no element past the end is read.
 * What is true of interpolate():
 *   - The divisor is never 0 for a table that is sorted strictly.
 *
 *   pct analyze examples/algorithms/binary_search.c -f find_segment
 */
#include <stdint.h>

struct point {
	int16_t x;
	int16_t y;
};

int find_segment(const struct point *table, int n, int16_t key)
{
	int low = 0, high = n;

	if (n <= 0 || key < table[0].x)
		return -1;
	while (low < high) {
		int middle = low + (high - low) / 2;

		if (table[middle].x <= key)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

int16_t interpolate(const struct point *table, int n, int16_t key)
{
	int i = find_segment(table, n, key);
	int32_t dx, dy;

	if (n <= 0)
		return 0;
	if (i < 0)
		return table[0].y;
	if (i >= n - 1)
		return table[n - 1].y;
	dx = table[i + 1].x - table[i].x;
	dy = table[i + 1].y - table[i].y;
	return (int16_t)(table[i].y + (int64_t)dy * (key - table[i].x) / dx);
}
