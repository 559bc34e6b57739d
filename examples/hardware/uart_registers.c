/*
 * The registers of a serial port, seen as numbers and as bit-fields.
 *
 * What is true of uart_configure():
 *   - It returns false, and leaves the port as it was, for a baud rate that the divider cannot express within about 3
 *     percent, for a parity that does not exist, and while the transmitter is busy.
 *   - The divider is between 1 and 0xFFFF when it is stored.
 *   - Seven data bits without parity are refused; eight with any parity are accepted.
 *   - Writing through the fields and reading the raw number shows the same bits (layout of gcc and clang: the first
 *     field is the least significant one).
 *   - The test `divider == 0` is true only for baud rates above CLOCK / 8.
 *
 *   pct analyze examples/hardware/uart_registers.c -f uart_configure
 */
#include <stdbool.h>
#include <stdint.h>

#define CLOCK 8000000u

typedef union {
	uint32_t raw;
	struct {
		uint32_t enable : 1;
		uint32_t transmit : 1;
		uint32_t receive : 1;
		uint32_t parity : 2;
		uint32_t seven_bits : 1;
		uint32_t two_stops : 1;
		uint32_t reserved : 9;
		uint32_t divider : 16;
	} bits;
} control_t;

typedef union {
	uint32_t raw;
	struct {
		uint32_t busy : 1;
		uint32_t full : 1;
		uint32_t errors : 4;
		uint32_t reserved : 26;
	} bits;
} status_t;

typedef struct {
	control_t control;
	status_t status;
} uart_t;

enum parity { PARITY_NONE, PARITY_ODD, PARITY_EVEN };

bool uart_configure(uart_t *port, uint32_t baud, enum parity parity, bool seven_bits)
{
	control_t control;
	uint32_t divider, actual, difference;

	if (port->status.bits.busy || baud == 0 || baud > CLOCK)
		return false;
	if (parity != PARITY_NONE && parity != PARITY_ODD && parity != PARITY_EVEN)
		return false;
	if (seven_bits && parity == PARITY_NONE)
		return false;

	divider = (CLOCK / 16 + baud / 2) / baud;
	if (divider == 0 || divider > 0xFFFF)
		return false;
	actual = CLOCK / 16 / divider;
	difference = actual > baud ? actual - baud : baud - actual;
	if (difference > baud / 33)
		return false;

	control.raw = 0;
	control.bits.enable = 1;
	control.bits.transmit = 1;
	control.bits.receive = 1;
	control.bits.parity = parity;
	control.bits.seven_bits = seven_bits;
	control.bits.divider = divider & 0xFFFF;
	port->control.raw = control.raw;
	return true;
}

bool uart_has_error(const uart_t *port)
{
	return port->status.bits.errors != 0 || (port->status.bits.full && !port->control.bits.receive);
}
