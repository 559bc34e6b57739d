/*
 * A lock that opens with a PIN of four digits, and blocks after three wrong ones.
 *
 * What is true of lock_key():
 *   - It returns LOCK_OPEN only if the fourth digit was just entered and all four were right.
 *   - After three wrong PINs one after the other the answer is LOCK_BLOCKED until lock_wait() was called
 *     BLOCK_SECONDS times; keys pressed meanwhile change nothing.
 *   - A right PIN resets the count of wrong ones.
 *   - The comparison always looks at all four digits, so that its duration tells nothing.
 *   - From count < PIN_LENGTH, count < PIN_LENGTH again when the function returns. A lock that was never initialised
 *     may have a larger count; then entered[] is overrun.
 *   - From failures < MAX_FAILURES, failures < MAX_FAILURES again: at MAX_FAILURES the lock blocks and starts from 0.
 *
 *   pct analyze examples/control/pin_lock.c -f lock_key
 */
#include <stdint.h>

#define PIN_LENGTH 4
#define MAX_FAILURES 3
#define BLOCK_SECONDS 60

enum lock_answer { LOCK_MORE, LOCK_WRONG, LOCK_OPEN, LOCK_BLOCKED, LOCK_CLEARED };

struct lock {
	uint8_t pin[PIN_LENGTH];
	uint8_t entered[PIN_LENGTH];
	uint8_t count;
	uint8_t failures;
	uint8_t blocked_for;
};

void lock_wait(struct lock *l)
{
	if (l->blocked_for > 0)
		l->blocked_for--;
}

static int same_pin(const struct lock *l)
{
	uint8_t difference = 0;
	int i;

	for (i = 0; i < PIN_LENGTH; i++)
		difference |= l->pin[i] ^ l->entered[i];
	return difference == 0;
}

enum lock_answer lock_key(struct lock *l, char key)
{
	if (l->blocked_for > 0)
		return LOCK_BLOCKED;
	if (key == '*') {
		l->count = 0;
		return LOCK_CLEARED;
	}
	if (key < '0' || key > '9')
		return LOCK_MORE;

	l->entered[l->count++] = (uint8_t)(key - '0');
	if (l->count < PIN_LENGTH)
		return LOCK_MORE;

	l->count = 0;
	if (same_pin(l)) {
		l->failures = 0;
		return LOCK_OPEN;
	}
	if (++l->failures >= MAX_FAILURES) {
		l->failures = 0;
		l->blocked_for = BLOCK_SECONDS;
		return LOCK_BLOCKED;
	}
	return LOCK_WRONG;
}
