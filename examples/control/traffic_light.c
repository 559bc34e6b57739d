/*
 * The lights of a crossing of a main road and a side road, with a button for pedestrians. Called once a second.
 *
 * What is true of crossing_tick():
 *   - The main road and the side road are never both green, and never one green and the other yellow: the lights follow
 *     from the phase alone.
 *   - The main road stays green for at least MAIN_MIN seconds, and as long as nobody waits on the side road or at the
 *     button.
 *   - Pedestrians see green only in the phase WALK, in which both roads are red.
 *   - A phase that is not one of the enumeration is taken as a fault: everything is red, and ALL_RED follows.
 *   - A press of the button in the phase WALK is not remembered.
 *
 *   pct analyze examples/control/traffic_light.c -f crossing_tick
 */
#include <stdbool.h>
#include <stdint.h>

typedef enum { MAIN_GREEN, MAIN_YELLOW, SIDE_GREEN, SIDE_YELLOW, WALK, ALL_RED } phase_t;
typedef enum { RED, YELLOW, GREEN } light_t;

enum { MAIN_MIN = 20, YELLOW_TIME = 3, SIDE_MAX = 15, SIDE_MIN = 5, WALK_TIME = 12, RED_TIME = 2 };

struct crossing {
	phase_t phase;
	uint16_t elapsed;
	bool button;		/* somebody pressed and has not walked yet */
	light_t main_road, side_road, walkers;
};

static void enter(struct crossing *c, phase_t phase)
{
	c->phase = phase;
	c->elapsed = 0;
}

static void show(struct crossing *c)
{
	c->main_road = RED;
	c->side_road = RED;
	c->walkers = RED;
	switch (c->phase) {
	case MAIN_GREEN:
		c->main_road = GREEN;
		break;
	case MAIN_YELLOW:
		c->main_road = YELLOW;
		break;
	case SIDE_GREEN:
		c->side_road = GREEN;
		break;
	case SIDE_YELLOW:
		c->side_road = YELLOW;
		break;
	case WALK:
		c->walkers = GREEN;
		break;
	default:
		break;
	}
}

void crossing_tick(struct crossing *c, bool side_waiting, bool button_pressed)
{
	if (c->elapsed < UINT16_MAX)
		c->elapsed++;
	if (button_pressed && c->phase != WALK)
		c->button = true;

	switch (c->phase) {
	case MAIN_GREEN:
		if (c->elapsed >= MAIN_MIN && (side_waiting || c->button))
			enter(c, MAIN_YELLOW);
		break;
	case MAIN_YELLOW:
		if (c->elapsed >= YELLOW_TIME)
			enter(c, c->button ? WALK : SIDE_GREEN);
		break;
	case SIDE_GREEN:
		if (c->elapsed >= SIDE_MAX || (c->elapsed >= SIDE_MIN && !side_waiting))
			enter(c, SIDE_YELLOW);
		break;
	case SIDE_YELLOW:
		if (c->elapsed >= YELLOW_TIME)
			enter(c, ALL_RED);
		break;
	case WALK:
		if (c->elapsed >= WALK_TIME) {
			c->button = false;
			enter(c, ALL_RED);
		}
		break;
	case ALL_RED:
		if (c->elapsed >= RED_TIME)
			enter(c, MAIN_GREEN);
		break;
	default:
		enter(c, ALL_RED);
		break;
	}
	show(c);
}
