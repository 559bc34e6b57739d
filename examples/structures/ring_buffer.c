/*
 * A ring buffer of bytes between an interrupt that writes and a main loop that reads.
 *
 * What is true of ring_put() and ring_get():
 *   - head and tail stay below RING_SIZE if they were; one cell is always free, so RING_SIZE - 1 bytes fit.
 *   - ring_put() on a full buffer changes nothing but the count of lost bytes, which stops at 255.
 *   - ring_get() returns -1 for an empty buffer, and otherwise a value between 0 and 255, in the order of writing.
 *   - Full and empty exclude each other.
 * What is true of ring_get_line():
 *   - It removes nothing unless a line feed is in the buffer, or size - 1 bytes without one.
 *   - A line of exactly size - 1 characters leaves its line feed behind, and the next call returns an empty line.
 *   - It never writes more than size bytes; with size < 1 it does nothing.
 *
 *   pct analyze examples/structures/ring_buffer.c -f ring_get_line
 */
#include <stdbool.h>
#include <stdint.h>

#define RING_SIZE 32

struct ring {
	uint8_t data[RING_SIZE];
	uint8_t head;		/* where the next byte is written */
	uint8_t tail;		/* where the next byte is read */
	uint8_t lost;
};

static uint8_t after(uint8_t index)
{
	return index + 1 == RING_SIZE ? 0 : (uint8_t)(index + 1);
}

bool ring_is_empty(const struct ring *r)
{
	return r->head == r->tail;
}

bool ring_is_full(const struct ring *r)
{
	return after(r->head) == r->tail;
}

bool ring_put(struct ring *r, uint8_t byte)
{
	if (ring_is_full(r)) {
		if (r->lost < 255)
			r->lost++;
		return false;
	}
	r->data[r->head] = byte;
	r->head = after(r->head);
	return true;
}

int ring_get(struct ring *r)
{
	int byte;

	if (ring_is_empty(r))
		return -1;
	byte = r->data[r->tail];
	r->tail = after(r->tail);
	return byte;
}

int ring_get_line(struct ring *r, char *line, int size)
{
	uint8_t i = r->tail;
	int n = 0, found = -1;

	if (size < 1)
		return -1;
	while (i != r->head && found < 0 && n < size - 1) {
		if (r->data[i] == '\n')
			found = n;
		else
			n++;
		i = after(i);
	}
	if (found < 0 && n < size - 1)
		return -1;

	for (n = 0; n < size - 1; n++) {
		int c = ring_get(r);

		if (c < 0 || c == '\n')
			break;
		line[n] = (char)c;
	}
	line[n] = '\0';
	return n;
}
