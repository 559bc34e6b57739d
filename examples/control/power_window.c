/*
 * The window of a car door, moved by a switch of the driver and one of the passenger, with protection against pinching.
 *
 * What is true of window_step():
 *   - The driver wins: if both switches are pressed, that of the passenger has no effect.
 *   - The child lock disables the switch of the passenger only.
 *   - When the motor current says that something is pinched while the window goes up, the window reverses. No
 *     switch is looked at until it went down REVERSE_TICKS times or is fully open.
 *   - position stays within 0 (closed) and FULLY_OPEN if it was there before.
 *   - At position 0 an upward command leaves the motor off: WINDOW_UP with position == 0 is never the state afterwards.
 *
 *   pct analyze examples/control/power_window.c -f window_step
 */
#include <stdbool.h>
#include <stdint.h>

#define FULLY_OPEN 100
#define PINCH_CURRENT 180
#define REVERSE_TICKS 10

enum command { NONE, UP, DOWN };
enum motion { WINDOW_STILL, WINDOW_UP, WINDOW_DOWN, WINDOW_REVERSING };

struct window {
	enum motion motion;
	uint8_t position;
	uint8_t reverse_left;
};

static enum command arbitrate(enum command driver, enum command passenger, bool child_lock)
{
	if (driver != NONE)
		return driver;
	if (!child_lock)
		return passenger;
	return NONE;
}

void window_step(struct window *w, enum command driver, enum command passenger, bool child_lock, uint8_t current)
{
	enum command wanted;

	if (w->motion == WINDOW_REVERSING) {
		if (w->reverse_left == 0 || w->position >= FULLY_OPEN) {
			w->motion = WINDOW_STILL;
		} else {
			w->reverse_left--;
			w->position++;
		}
		return;
	}

	if (w->motion == WINDOW_UP && current > PINCH_CURRENT) {
		w->motion = WINDOW_REVERSING;
		w->reverse_left = REVERSE_TICKS;
		return;
	}

	wanted = arbitrate(driver, passenger, child_lock);
	if (wanted == UP && w->position > 0) {
		w->position--;
		w->motion = w->position > 0 ? WINDOW_UP : WINDOW_STILL;
	} else if (wanted == DOWN && w->position < FULLY_OPEN) {
		w->position++;
		w->motion = WINDOW_DOWN;
	} else {
		w->motion = WINDOW_STILL;
	}
}
