/*
 * A scheduler with 32 priorities; a bitmap says which of them have a ready task.
 *
 * What is true of pick_next():
 *   - It returns the highest priority whose bit is set (31 is the highest), or -1 if the bitmap is 0.
 *   - It takes five tests, whatever the bitmap: a binary search for the top bit.
 *   - The running task is preempted only by a strictly higher priority, and never below the ceiling that is set.
 *   - A shift is never by 32 or more.
 * What is true of the others:
 *   - A bit is set exactly if the count of its priority is not 0: make_ready() and make_unready() keep this.
 *   - make_unready() of a priority whose count is 0 changes nothing.
 *
 *   pct analyze examples/scheduling/priority_bitmap.c -f pick_next
 */
#include <stdbool.h>
#include <stdint.h>

#define PRIORITIES 32

struct ready_queue {
	uint32_t bitmap;
	uint8_t count[PRIORITIES];
	int8_t running;		/* priority of the running task, or -1 */
	int8_t ceiling;		/* only priorities above it may preempt, or -1 */
};

static int top_bit(uint32_t bits)
{
	int n = 0;

	if (bits & 0xFFFF0000u) {
		n += 16;
		bits >>= 16;
	}
	if (bits & 0xFF00u) {
		n += 8;
		bits >>= 8;
	}
	if (bits & 0xF0u) {
		n += 4;
		bits >>= 4;
	}
	if (bits & 0xCu) {
		n += 2;
		bits >>= 2;
	}
	if (bits & 0x2u)
		n += 1;
	return n;
}

bool make_ready(struct ready_queue *q, uint8_t priority)
{
	if (priority >= PRIORITIES || q->count[priority] == UINT8_MAX)
		return false;
	q->count[priority]++;
	q->bitmap |= (uint32_t)1 << priority;
	return true;
}

bool make_unready(struct ready_queue *q, uint8_t priority)
{
	if (priority >= PRIORITIES || q->count[priority] == 0)
		return false;
	if (--q->count[priority] == 0)
		q->bitmap &= ~((uint32_t)1 << priority);
	return true;
}

int pick_next(struct ready_queue *q)
{
	int best;

	if (q->bitmap == 0)
		return -1;
	best = top_bit(q->bitmap);
	if (q->running < 0) {
		q->running = (int8_t)best;
	} else if (best > q->running && best > q->ceiling) {
		q->running = (int8_t)best;
	}
	return best;
}
