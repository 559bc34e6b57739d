/*
 * An automatic gearbox: which gear to engage, from speed, throttle, brake and the lever. All state is global.
 *
 * What is true of shift():
 *   - If gear was REVERSE, NEUTRAL or FIRST to TOP before, it is so after.
 *   - It never goes directly from a forward gear to REVERSE, or back, at more than CREEP km/h.
 *   - A forward gear changes by at most one step in each call.
 *   - In the SETTLE - 1 calls after a change there is no change between forward gears, unless the engine would turn too
 *     fast.
 *   - PARK is locked only at standstill: `parked` implies speed == 0 in the call that sets it.
 *   - up_at[g] > down_at[g + 1] for every gear, so that it does not hunt: a speed that demands the higher gear does
 *     not demand the lower one at the next call with the same lever.
 *   - With kick-down (throttle above 90) the limits for shifting up are raised by a fifth.
 *   - A speed below 0 or above 300 is a fault: the gear is kept, whatever the lever says.
 *
 *   pct analyze examples/control/gear_shift.c -f shift
 */
#include <stdbool.h>

#define CREEP 5
#define SETTLE 3

enum { REVERSE = -1, NEUTRAL = 0, FIRST = 1, TOP = 5 };
enum lever { LEVER_P, LEVER_R, LEVER_N, LEVER_D, LEVER_LOW };

static const int up_at[TOP + 1] = { 0, 18, 36, 58, 84, 999 };
static const int down_at[TOP + 1] = { 0, 0, 11, 26, 46, 70 };
static const int overspeed[TOP + 1] = { 0, 45, 80, 125, 170, 999 };

int gear;
int wait;
bool parked;
bool fault;

static int forward_gear(int speed, int throttle, bool braking, int highest)
{
	int limit = up_at[gear];

	if (throttle > 90)
		limit += limit / 5;
	if (gear < highest && speed > overspeed[gear])
		return gear + 1;
	if (wait > 0)
		return gear;
	if (gear > highest && speed < down_at[gear] + 10)
		return gear - 1;
	if (gear < highest && speed > limit && !braking)
		return gear + 1;
	if (gear > FIRST && speed < down_at[gear])
		return gear - 1;
	if (gear > FIRST && throttle > 90 && speed < up_at[gear - 1] - 4)
		return gear - 1;
	return gear;
}

void shift(enum lever lever, int speed, int throttle, bool braking)
{
	int before = gear;

	if (wait > 0)
		wait--;
	if (speed < 0 || speed > 300) {
		fault = true;
		return;
	}
	fault = false;
	if (parked && (lever != LEVER_P) && !braking)
		return;
	parked = false;

	switch (lever) {
	case LEVER_P:
		if (speed == 0) {
			gear = NEUTRAL;
			parked = true;
		} else if (speed <= CREEP) {
			gear = NEUTRAL;
		}
		break;
	case LEVER_R:
		if (speed <= CREEP && (braking || gear == REVERSE))
			gear = REVERSE;
		else if (gear >= FIRST && speed > CREEP)
			gear = forward_gear(speed, throttle, braking, TOP);
		break;
	case LEVER_N:
		gear = NEUTRAL;
		break;
	case LEVER_D:
	case LEVER_LOW:
		if (gear >= FIRST)
			gear = forward_gear(speed, throttle, braking, lever == LEVER_LOW ? 2 : TOP);
		else if (gear == NEUTRAL || speed <= CREEP)
			gear = FIRST;
		break;
	}
	if (gear != before)
		wait = SETTLE;
}
