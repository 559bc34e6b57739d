/*
 * A round-robin scheduler with time slices over a fixed table of tasks.
 *
 * What is true of schedule():
 *   - It returns the index of a task that is RUNNING, or IDLE_TASK if none is or was ready. current must be a task or
 *     IDLE_TASK.
 *   - Only the current task is RUNNING afterwards, if no other was before.
 *   - The search visits each task at most once. The current task comes last: it goes on only if nobody else is ready.
 *   - A task keeps the processor until its slice is used up, it blocks, or it ends.
 *   - With current == IDLE_TASK the search starts at task 0.
 *
 *   pct analyze examples/scheduling/round_robin.c -f schedule
 */
#include <stdint.h>

#define TASKS 6
#define IDLE_TASK (-1)
#define SLICE 10

enum task_state { TASK_FREE, TASK_READY, TASK_RUNNING, TASK_BLOCKED };

struct task {
	enum task_state state;
	uint8_t slice_left;
	uint16_t wake_at;
};

struct scheduler {
	struct task task[TASKS];
	int current;
	uint16_t ticks;
};

static void wake(struct scheduler *s)
{
	int i;

	for (i = 0; i < TASKS; i++)
		if (s->task[i].state == TASK_BLOCKED && (int16_t)(s->ticks - s->task[i].wake_at) >= 0)
			s->task[i].state = TASK_READY;
}

/* Called by the timer interrupt. */
int schedule(struct scheduler *s)
{
	int i, candidate;

	s->ticks++;
	wake(s);

	if (s->current != IDLE_TASK && s->task[s->current].state == TASK_RUNNING) {
		struct task *t = &s->task[s->current];

		if (t->slice_left > 1) {
			t->slice_left--;
			return s->current;
		}
		t->state = TASK_READY;
	}

	candidate = s->current == IDLE_TASK ? TASKS - 1 : s->current;
	for (i = 0; i < TASKS; i++) {
		candidate = candidate + 1 < TASKS ? candidate + 1 : 0;
		if (s->task[candidate].state == TASK_READY) {
			s->task[candidate].state = TASK_RUNNING;
			s->task[candidate].slice_left = SLICE;
			s->current = candidate;
			return candidate;
		}
	}
	s->current = IDLE_TASK;
	return IDLE_TASK;
}

void block_current(struct scheduler *s, uint16_t ticks)
{
	if (s->current != IDLE_TASK) {
		s->task[s->current].state = TASK_BLOCKED;
		s->task[s->current].wake_at = (uint16_t)(s->ticks + ticks);
	}
}
