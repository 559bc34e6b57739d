/*
 * A windowed watchdog over several tasks: each must report within its own window, neither too early nor too late.
 *
 * What is true of watchdog_check():
 *   - It returns the index of the first active task that is late or was too early, or -1 if there is none.
 *   - Times are taken from a counter of 32 bits that wraps. The age `now - last` is right across the wrap as long as it
 *     is less than 2^32 ticks.
 *   - `age > latest` and `age < earliest` exclude each other for every task that watchdog_add() accepted.
 *   - The loop runs at most TASKS times, and reads no slot twice.
 *   - expired only goes from false to true: once a check failed, kicking is in vain.
 *
 *   pct analyze examples/control/watchdog.c -f watchdog_check
 */
#include <stdbool.h>
#include <stdint.h>

#define TASKS 4

struct supervised {
	bool active;
	bool too_early;
	uint32_t last;
	uint32_t earliest;
	uint32_t latest;
};

static struct supervised tasks[TASKS];
static bool expired;

int watchdog_add(uint32_t now, uint32_t earliest, uint32_t latest)
{
	int i;

	if (latest == 0 || earliest >= latest)
		return -1;
	for (i = 0; i < TASKS; i++) {
		if (!tasks[i].active) {
			tasks[i].active = true;
			tasks[i].too_early = false;
			tasks[i].last = now;
			tasks[i].earliest = earliest;
			tasks[i].latest = latest;
			return i;
		}
	}
	return -1;
}

bool watchdog_kick(int id, uint32_t now)
{
	uint32_t age;

	if (id < 0 || id >= TASKS || !tasks[id].active || expired)
		return false;
	age = now - tasks[id].last;
	if (age < tasks[id].earliest) {
		tasks[id].too_early = true;
		return false;
	}
	tasks[id].last = now;
	return true;
}

int watchdog_check(uint32_t now)
{
	int i;

	for (i = 0; i < TASKS; i++) {
		uint32_t age;

		if (!tasks[i].active)
			continue;
		age = now - tasks[i].last;
		if (age > tasks[i].latest || tasks[i].too_early) {
			expired = true;
			return i;
		}
	}
	return -1;
}
