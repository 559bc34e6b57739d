/*
 * A heater that is switched with hysteresis, from a temperature in floating point.
 *
 * What is true of thermostat_step():
 *   - The heater is never on afterwards if the temperature is above MAX_SAFE, is not a number, or jumped by more than
 *     MAX_STEP degrees since the last good reading.
 *   - Between target - BAND and target + BAND the heater keeps what it did before (after a good reading without fault).
 *   - NaN fails every comparison. It is caught by `t != t`; without that line it would fall through to "keep".
 *   - Three bad readings one after the other set the fault, and only thermostat_reset() clears it.
 *   - `t < lower && t > upper` can never hold, because lower <= upper whatever the target is.
 *
 *   pct analyze examples/control/thermostat.c -f thermostat_step
 */
#include <stdbool.h>

#define BAND 0.5f
#define MAX_SAFE 85.0f
#define MAX_STEP 10.0f
#define BAD_LIMIT 3

struct thermostat {
	float target;
	float last;
	int bad;
	bool heating;
	bool fault;
};

void thermostat_reset(struct thermostat *s, float now)
{
	s->last = now;
	s->bad = 0;
	s->heating = false;
	s->fault = false;
}

bool thermostat_set(struct thermostat *s, float target)
{
	if (target >= 5.0f && target <= 60.0f) {
		s->target = target;
		return true;
	}
	return false;
}

static float distance(float a, float b)
{
	return a < b ? b - a : a - b;
}

static bool is_plausible(const struct thermostat *s, float t)
{
	if (t != t)
		return false;
	if (t < -40.0f || t > 150.0f)
		return false;
	return !(distance(t, s->last) > MAX_STEP);
}

bool thermostat_step(struct thermostat *s, float t)
{
	float lower, upper;

	if (!is_plausible(s, t)) {
		s->heating = false;
		if (s->bad < BAD_LIMIT)
			s->bad++;
		if (s->bad >= BAD_LIMIT)
			s->fault = true;
		return false;
	}
	s->bad = 0;
	s->last = t;
	if (s->fault || t > MAX_SAFE) {
		s->heating = false;
		return false;
	}

	lower = s->target - BAND;
	upper = s->target + BAND;
	if (t < lower)
		s->heating = true;
	else if (t > upper)
		s->heating = false;
	return s->heating;
}
