/*
 * A filter for a button that bounces: the output follows the input after it was stable for a number of samples.
 *
 * What is true of debounce():
 *   - From count == 0, the output changes only after STABLE calls one after the other whose sample differs from it.
 *   - count is between 0 and STABLE - 1 after every call, if it was before.
 *   - EDGE_PRESSED and EDGE_RELEASED alternate.
 *   - EDGE_LONG comes at most once per press, in the call in which held reaches LONG_PRESS.
 *   - held does not wrap: it stops at LONG_PRESS.
 *
 *   pct analyze examples/control/debounce.c -f debounce
 */
#include <stdbool.h>
#include <stdint.h>

#define STABLE 5
#define LONG_PRESS 200

enum edge { EDGE_NONE, EDGE_PRESSED, EDGE_RELEASED, EDGE_LONG };

struct button {
	bool pressed;
	uint8_t count;
	uint8_t held;
};

enum edge debounce(struct button *b, bool sample)
{
	if (sample == b->pressed) {
		b->count = 0;
		if (b->pressed && b->held < LONG_PRESS) {
			b->held++;
			if (b->held == LONG_PRESS)
				return EDGE_LONG;
		}
		return EDGE_NONE;
	}

	if (++b->count < STABLE)
		return EDGE_NONE;

	b->count = 0;
	b->held = 0;
	b->pressed = sample;
	return sample ? EDGE_PRESSED : EDGE_RELEASED;
}
