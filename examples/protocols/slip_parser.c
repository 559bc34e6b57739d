/*
 * A receiver for frames on a serial line, in the manner of SLIP: END delimits a frame, ESC announces an escaped byte.
 *
 * What is true of frame_receive():
 *   - length <= FRAME_MAX before implies length <= FRAME_MAX after: the buffer is never overrun.
 *   - FRAME_DONE is returned only for the byte END, and only with length >= FRAME_MIN and a sum of bytes that is 0.
 *   - Several END bytes in a row are no error: an empty frame is skipped.
 *   - After an error within a frame every byte up to the next END is dropped.
 *   - In the state AFTER_ESCAPE only two bytes are right; every other one is an error, END included.
 *   - After FRAME_DONE, length holds the length of that frame until the next byte comes.
 *
 *   pct analyze examples/protocols/slip_parser.c -f frame_receive
 */
#include <stddef.h>
#include <stdint.h>

#define END 0xC0
#define ESC 0xDB
#define ESCAPED_END 0xDC
#define ESCAPED_ESC 0xDD
#define FRAME_MAX 64
#define FRAME_MIN 3

typedef enum { BETWEEN, INSIDE, AFTER_ESCAPE, DROPPING } receive_state_t;
typedef enum { FRAME_MORE, FRAME_DONE, FRAME_ERROR } receive_result_t;

typedef struct {
	receive_state_t state;
	size_t length;
	uint8_t sum;
	uint8_t data[FRAME_MAX];
} receiver_t;

static receive_result_t fail(receiver_t *r)
{
	r->state = DROPPING;
	return FRAME_ERROR;
}

static receive_result_t append(receiver_t *r, uint8_t byte)
{
	if (r->length >= FRAME_MAX)
		return fail(r);
	r->data[r->length++] = byte;
	r->sum = (uint8_t)(r->sum + byte);
	r->state = INSIDE;
	return FRAME_MORE;
}

static receive_result_t finish(receiver_t *r)
{
	r->state = BETWEEN;
	if (r->length < FRAME_MIN || r->sum != 0)
		return FRAME_ERROR;
	return FRAME_DONE;
}

receive_result_t frame_receive(receiver_t *r, uint8_t byte)
{
	switch (r->state) {
	case BETWEEN:
		r->length = 0;
		r->sum = 0;
		if (byte == END)
			return FRAME_MORE;
		if (byte == ESC) {
			r->state = AFTER_ESCAPE;
			return FRAME_MORE;
		}
		return append(r, byte);
	case INSIDE:
		if (byte == END)
			return finish(r);
		if (byte == ESC) {
			r->state = AFTER_ESCAPE;
			return FRAME_MORE;
		}
		return append(r, byte);
	case AFTER_ESCAPE:
		if (byte == ESCAPED_END)
			return append(r, END);
		if (byte == ESCAPED_ESC)
			return append(r, ESC);
		return fail(r);
	case DROPPING:
	default:
		if (byte == END)
			r->state = BETWEEN;
		return FRAME_MORE;
	}
}
