/*
 * A charger for one lithium cell: precharge, constant current, constant voltage, done; with limits.
 *
 * What is true of charger_step():
 *   - Once it was unplugged: the current is 0 in the states OFF, DONE, SUSPENDED and FAULT, and at most FAST_CURRENT.
 *   - FAULT is left only by unplugging.
 *   - A temperature outside 0 to 45 degrees interrupts the charge (state SUSPENDED), unless it ends in FAULT anyway. It
 *     continues only within 3 to 42 degrees, with PRECHARGE.
 *   - A cell that is above OVER_VOLTAGE leads to FAULT whatever the state, unless nothing is plugged in.
 *   - minutes is only increased in the three states that charge, and a charge that lasts MAX_MINUTES ends in FAULT.
 *   - The test `c->current >= TAPER_STEP` is always true: there the current is above END_CURRENT.
 *   - In CONSTANT_CURRENT the cell voltage is never above OVER_VOLTAGE at the test `millivolts >= FULL_VOLTAGE`.
 *
 *   pct analyze examples/control/battery_charger.c -f charger_step
 */
#include <stdbool.h>
#include <stdint.h>

enum charger_state { OFF, PRECHARGE, CONSTANT_CURRENT, CONSTANT_VOLTAGE, DONE, SUSPENDED, FAULT };

enum {
	LOW_VOLTAGE = 3000,
	RECHARGE_VOLTAGE = 4050,
	FULL_VOLTAGE = 4200,
	OVER_VOLTAGE = 4300,
	PRE_CURRENT = 50,
	FAST_CURRENT = 500,
	TAPER_STEP = 10,
	END_CURRENT = 40,
	MAX_PRE_MINUTES = 30,
	MAX_MINUTES = 240
};

struct charger {
	enum charger_state state;
	uint16_t current;	/* milliamperes */
	uint16_t minutes;
};

static void go(struct charger *c, enum charger_state state, uint16_t current)
{
	c->state = state;
	c->current = current;
}

static bool too_hot_or_cold(int16_t celsius)
{
	return celsius < 0 || celsius > 45;
}

static bool comfortable(int16_t celsius)
{
	return celsius >= 3 && celsius <= 42;
}

/* Once a minute. */
void charger_step(struct charger *c, bool plugged, uint16_t millivolts, int16_t celsius)
{
	if (!plugged) {
		go(c, OFF, 0);
		c->minutes = 0;
		return;
	}
	if (c->state == FAULT || millivolts > OVER_VOLTAGE) {
		go(c, FAULT, 0);
		return;
	}
	if (c->state == PRECHARGE || c->state == CONSTANT_CURRENT || c->state == CONSTANT_VOLTAGE) {
		c->minutes++;
		if (c->minutes >= MAX_MINUTES) {
			go(c, FAULT, 0);
			return;
		}
		if (too_hot_or_cold(celsius)) {
			go(c, SUSPENDED, 0);
			return;
		}
	}

	switch (c->state) {
	case OFF:
		if (comfortable(celsius)) {
			c->minutes = 0;
			go(c, PRECHARGE, PRE_CURRENT);
		}
		break;
	case PRECHARGE:
		if (millivolts >= LOW_VOLTAGE)
			go(c, CONSTANT_CURRENT, FAST_CURRENT);
		else if (c->minutes >= MAX_PRE_MINUTES)
			go(c, FAULT, 0);
		break;
	case CONSTANT_CURRENT:
		if (millivolts >= FULL_VOLTAGE)
			go(c, CONSTANT_VOLTAGE, FAST_CURRENT);
		break;
	case CONSTANT_VOLTAGE:
		if (c->current <= END_CURRENT)
			go(c, DONE, 0);
		else if (millivolts >= FULL_VOLTAGE && c->current >= TAPER_STEP)
			c->current -= TAPER_STEP;
		break;
	case DONE:
		if (millivolts < RECHARGE_VOLTAGE) {
			c->minutes = 0;
			go(c, PRECHARGE, PRE_CURRENT);
		}
		break;
	case SUSPENDED:
		if (comfortable(celsius))
			go(c, PRECHARGE, PRE_CURRENT);
		break;
	default:
		go(c, FAULT, 0);
		break;
	}
}
