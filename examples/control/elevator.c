/*
 * An elevator: one step of the control of a cabin that serves the floors 0 to 7.
 *
 * What is true of elevator_step():
 *   - The motor runs only if the door is closed, and never while the stop button is pressed or the cabin is overloaded.
 *   - If 0 <= floor < FLOORS before, the same holds after: the cabin does not move up from the top floor and not down
 *     from the bottom floor.
 *   - A request for a floor is removed only when the door opens at that floor, and only there.
 *   - With no request, a closed door, no overload and no stop button the elevator is IDLE after one step.
 *   - In the state MOVING_UP at the top floor, requests_above() is false, so the branch that moves on cannot be taken.
 *
 *   pct analyze examples/control/elevator.c -f elevator_step
 */
#include <stdbool.h>
#include <stdint.h>

#define FLOORS 8
#define DOOR_TICKS 5

typedef enum { IDLE, MOVING_UP, MOVING_DOWN, DOOR_OPEN, BLOCKED } cabin_state_t;

typedef struct {
	cabin_state_t state;
	cabin_state_t heading;	/* MOVING_UP or MOVING_DOWN: the direction that is preferred */
	int8_t floor;
	uint8_t requests;	/* bit i: somebody wants floor i */
	uint8_t door_timer;
	bool motor_on;
} elevator_t;

static bool requested_here(const elevator_t *e)
{
	return (e->requests >> e->floor) & 1;
}

static bool requests_above(const elevator_t *e)
{
	return (e->requests >> e->floor) > 1;
}

static bool requests_below(const elevator_t *e)
{
	return (e->requests & ((1u << e->floor) - 1)) != 0;
}

static void open_door(elevator_t *e)
{
	e->requests &= (uint8_t)~(1u << e->floor);
	e->door_timer = DOOR_TICKS;
	e->motor_on = false;
	e->state = DOOR_OPEN;
}

static void choose_direction(elevator_t *e)
{
	bool up = requests_above(e);
	bool down = requests_below(e);

	if (up && (e->heading == MOVING_UP || !down))
		e->state = MOVING_UP;
	else if (down)
		e->state = MOVING_DOWN;
	else
		e->state = IDLE;
	if (e->state != IDLE)
		e->heading = e->state;
	e->motor_on = e->state != IDLE;
}

void elevator_step(elevator_t *e, bool stop_pressed, bool overloaded, bool light_barrier)
{
	if (e->floor < 0 || e->floor >= FLOORS) {
		e->state = BLOCKED;
		e->motor_on = false;
		return;
	}
	if (stop_pressed && e->state != DOOR_OPEN) {
		e->state = BLOCKED;
		e->motor_on = false;
		return;
	}

	switch (e->state) {
	case IDLE:
		if (requested_here(e))
			open_door(e);
		else if (!overloaded)
			choose_direction(e);
		else
			e->motor_on = false;
		break;
	case MOVING_UP:
		if (overloaded) {
			e->state = BLOCKED;
			e->motor_on = false;
		} else if (requests_above(e)) {
			e->floor++;
			if (requested_here(e))
				open_door(e);
			else
				e->motor_on = true;
		} else {
			choose_direction(e);
		}
		break;
	case MOVING_DOWN:
		if (overloaded) {
			e->state = BLOCKED;
			e->motor_on = false;
		} else if (requests_below(e)) {
			e->floor--;
			if (requested_here(e))
				open_door(e);
			else
				e->motor_on = true;
		} else {
			choose_direction(e);
		}
		break;
	case DOOR_OPEN:
		e->motor_on = false;
		if (light_barrier || overloaded || stop_pressed)
			e->door_timer = DOOR_TICKS;
		else if (e->door_timer > 0)
			e->door_timer--;
		else
			e->state = IDLE;
		break;
	case BLOCKED:
		e->motor_on = false;
		if (!overloaded)
			e->state = IDLE;
		break;
	default:
		e->state = BLOCKED;
		e->motor_on = false;
		break;
	}
}
