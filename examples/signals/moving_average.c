/*
 * A moving average over the last eight samples, with a running sum, and rejection of outliers.
 *
 * What is true of average_add(), after average_reset():
 *   - sum is always the sum of the filled samples; the average is therefore between their least and greatest.
 *   - index stays below WINDOW, filled stays at most WINDOW.
 *   - The divisor is never 0: at the division filled is at least 1.
 *   - A sample further than MAX_JUMP from the average is rejected, but only once the window is full, and not if
 *     PATIENCE samples were rejected just before: then the window starts over with it.
 *
 *   pct analyze examples/signals/moving_average.c -f average_add
 */
#include <stdint.h>

#define WINDOW 8
#define MAX_JUMP 500
#define PATIENCE 3

struct average {
	int16_t sample[WINDOW];
	int32_t sum;
	uint8_t index;
	uint8_t filled;
	uint8_t rejected;
};

void average_reset(struct average *a)
{
	a->sum = 0;
	a->index = 0;
	a->filled = 0;
	a->rejected = 0;
}

int16_t average_add(struct average *a, int16_t x)
{
	if (a->filled == WINDOW) {
		int32_t mean = a->sum / WINDOW;

		if (x - mean > MAX_JUMP || mean - x > MAX_JUMP) {
			if (a->rejected < PATIENCE) {
				a->rejected++;
				return (int16_t)mean;
			}
			average_reset(a);
		}
	}
	a->rejected = 0;

	if (a->filled < WINDOW)
		a->filled++;
	else
		a->sum -= a->sample[a->index];
	a->sample[a->index] = x;
	a->sum += x;
	a->index = (uint8_t)((a->index + 1) % WINDOW);
	return (int16_t)(a->sum / a->filled);
}
