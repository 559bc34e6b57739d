/*
 * A state machine whose states are functions: the connection of a client that logs in.
 *
 * What is true of client_dispatch():
 *   - The handler is never called through a null pointer: an index outside the table is caught before, and the
 *     table has no gap, so the test for NULL is never true.
 *   - From any state, EVENT_RESET leads to STATE_CLOSED.
 *   - STATE_READY is entered only from STATE_LOGIN, and only with EVENT_ACCEPTED.
 *   - At most MAX_RETRIES timeouts are tolerated in STATE_OPENING; the next one closes the connection.
 *   - The return value says whether the state changed.
 *
 *   pct analyze examples/control/handler_table.c -f client_dispatch
 */
#include <stdbool.h>
#include <stddef.h>

#define MAX_RETRIES 3

enum event { EVENT_OPEN, EVENT_ACCEPTED, EVENT_REFUSED, EVENT_TIMEOUT, EVENT_RESET };
enum state { STATE_CLOSED, STATE_OPENING, STATE_LOGIN, STATE_READY, STATE_COUNT };

struct client {
	enum state state;
	int retries;
	int sent;
};

typedef enum state (*handler_t)(struct client *c, enum event e);

static enum state on_closed(struct client *c, enum event e)
{
	if (e == EVENT_OPEN) {
		c->retries = 0;
		c->sent = 1;
		return STATE_OPENING;
	}
	return STATE_CLOSED;
}

static enum state on_opening(struct client *c, enum event e)
{
	if (e == EVENT_ACCEPTED)
		return STATE_LOGIN;
	if (e == EVENT_REFUSED)
		return STATE_CLOSED;
	if (e == EVENT_TIMEOUT) {
		if (c->retries >= MAX_RETRIES)
			return STATE_CLOSED;
		c->retries++;
		c->sent++;
	}
	return STATE_OPENING;
}

static enum state on_login(struct client *c, enum event e)
{
	(void)c;
	switch (e) {
	case EVENT_ACCEPTED:
		return STATE_READY;
	case EVENT_REFUSED:
	case EVENT_TIMEOUT:
		return STATE_CLOSED;
	default:
		return STATE_LOGIN;
	}
}

static enum state on_ready(struct client *c, enum event e)
{
	if (e == EVENT_TIMEOUT) {
		c->sent++;
		return STATE_OPENING;
	}
	return STATE_READY;
}

static const handler_t handlers[STATE_COUNT] = { on_closed, on_opening, on_login, on_ready };

bool client_dispatch(struct client *c, enum event e)
{
	enum state before = c->state;

	if (e == EVENT_RESET || (unsigned)before >= STATE_COUNT || handlers[before] == NULL)
		c->state = STATE_CLOSED;
	else
		c->state = handlers[before](c, e);
	return c->state != before;
}
