/*
 * Altitude separation of two aircraft: from the own track and that of one intruder, which vertical advisory to show.
 *
 * What is true of advise():
 *   - It returns CLIMB or DESCEND only if the intruder is in range, is closing and would pass too near in altitude.
 *   - It never returns CLIMB at or above the service ceiling, and never DESCEND at or below the floor.
 *   - An intruder that is itself under a CLIMB advisory is never answered with CLIMB, and likewise for DESCEND. If that
 *     takes away the last possible sense, the answer is LEVEL_OFF.
 *   - The test `other_sense == CLIMB && may_climb` is false wherever it stands, because may_climb already implies that
 *     the intruder is not climbing: the line after it is dead.
 *   - An altitude of the intruder that is not valid leads to TRAFFIC at most.
 *
 * Observed through which senses are possible; through all 18 conditions it takes about a minute:
 *
 *   pct analyze examples/control/altitude_separation.c -f advise --observe may_climb --observe may_descend
 */
#include <stdbool.h>
#include <stdint.h>

enum advisory { CLEAR, TRAFFIC, LEVEL_OFF, CLIMB, DESCEND };

typedef struct {
	int32_t altitude;	/* feet */
	int32_t rate;		/* feet per minute, positive upwards */
	bool valid;
} track_t;

enum {
	FLOOR = 1000,
	CEILING = 41000,
	RANGE_LIMIT = 600,	/* tenths of a nautical mile */
	LOOK_AHEAD = 30		/* seconds */
};

/* The separation that is demanded, by layers of altitude. */
static const int32_t layer_top[4] = { 5000, 10000, 20000, 42000 };
static const int32_t layer_separation[4] = { 300, 350, 400, 600 };

static int32_t demanded_separation(int32_t altitude)
{
	int i = 0;

	while (i < 3 && altitude > layer_top[i])
		i++;
	return layer_separation[i];
}

static int32_t altitude_in(const track_t *t, int32_t seconds)
{
	return t->altitude + t->rate * seconds / 60;
}

static bool is_sane(const track_t *t)
{
	return t->valid && t->altitude >= -1000 && t->altitude <= 60000 && t->rate >= -8000 && t->rate <= 8000;
}

enum advisory advise(const track_t *own, const track_t *other, int32_t range, int32_t closure,
		     enum advisory other_sense)
{
	int32_t gap, future_gap, needed;
	bool may_climb, may_descend;

	if (!is_sane(own) || range < 0 || range > RANGE_LIMIT || closure <= 0)
		return CLEAR;
	if (!is_sane(other))
		return TRAFFIC;

	needed = demanded_separation(own->altitude);
	gap = own->altitude - other->altitude;
	future_gap = altitude_in(own, LOOK_AHEAD) - altitude_in(other, LOOK_AHEAD);

	if ((gap >= needed && future_gap >= needed) || (gap <= -needed && future_gap <= -needed))
		return range < RANGE_LIMIT / 4 ? TRAFFIC : CLEAR;

	may_climb = own->altitude < CEILING && other_sense != CLIMB;
	may_descend = own->altitude > FLOOR && other_sense != DESCEND;

	if (other_sense == CLIMB && may_climb)
		return TRAFFIC;

	if (may_climb && may_descend) {
		/* Both senses are possible: keep the side on which we are, or on which we shall be. */
		if (gap > 0 && future_gap > 0)
			return CLIMB;
		if (gap < 0 && future_gap < 0)
			return DESCEND;
		return future_gap >= 0 ? CLIMB : DESCEND;
	}
	if (may_climb)
		return CLIMB;
	if (may_descend)
		return DESCEND;
	return LEVEL_OFF;
}
