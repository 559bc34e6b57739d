/*
 * The anti-lock control of one wheel: from the speeds of vehicle and wheel to the valve of the brake.
 *
 * What is true of slip_control():
 *   - Below WALKING_SPEED, or with a speed that is negative, too large or not a number, the valve is VALVE_PASS: the
 *     driver brakes as if there were no control.
 *   - The division is by at least WALKING_SPEED, so the slip is a number between 0 and 1 at `slip > ...`.
 *   - A wheel that turns faster than the vehicle moves has slip 0.
 *   - Without the brake pedal the valve is VALVE_PASS and the pressure request is 0.
 *   - From releases == 0, VALVE_RELEASE lasts at most RELEASE_LIMIT steps; then a step with another valve follows.
 *   - pressure stays between 0.0 and 1.0 if it was there before.
 *
 *   pct analyze examples/control/brake_slip.c -f slip_control
 */
#include <stdbool.h>

#define WALKING_SPEED 1.5	/* metres per second */
#define MAX_SPEED 120.0
#define SLIP_HIGH 0.25
#define SLIP_TARGET 0.12
#define PRESSURE_UP 0.05
#define PRESSURE_DOWN 0.20
#define RELEASE_LIMIT 8

typedef enum { VALVE_PASS, VALVE_HOLD, VALVE_RELEASE, VALVE_BUILD } valve_t;

typedef struct {
	valve_t valve;
	double pressure;
	int releases;
} brake_t;

static double limit(double x, double low, double high)
{
	if (x < low)
		return low;
	if (x > high)
		return high;
	return x;
}

static bool speed_ok(double v)
{
	return v >= 0.0 && v <= MAX_SPEED;
}

valve_t slip_control(brake_t *b, double vehicle, double wheel, double pedal)
{
	double slip;

	if (!(pedal > 0.01)) {
		b->pressure = 0.0;
		b->releases = 0;
		return b->valve = VALVE_PASS;
	}
	if (!speed_ok(vehicle) || !speed_ok(wheel) || vehicle < WALKING_SPEED) {
		b->pressure = limit(pedal, 0.0, 1.0);
		b->releases = 0;
		return b->valve = VALVE_PASS;
	}

	slip = limit((vehicle - wheel) / vehicle, 0.0, 1.0);
	if (slip > SLIP_HIGH && b->releases < RELEASE_LIMIT) {
		b->releases++;
		b->pressure = limit(b->pressure - PRESSURE_DOWN, 0.0, 1.0);
		b->valve = VALVE_RELEASE;
	} else if (slip > SLIP_TARGET) {
		b->releases = 0;
		b->valve = VALVE_HOLD;
	} else {
		b->releases = 0;
		b->pressure = limit(b->pressure + PRESSURE_UP, 0.0, limit(pedal, 0.0, 1.0));
		b->valve = VALVE_BUILD;
	}
	return b->valve;
}
