/*
 * The check of a request to a field device, in the manner of Modbus RTU: address, function, range, then the CRC.
 *
 * What is true of check_request():
 *   - A frame shorter than MIN_FRAME or longer than MAX_FRAME is refused before any byte is read.
 *   - The CRC is compared only for frames to this device or to all (address 0), and before anything else is looked at.
 *   - Reads to the broadcast address are refused: nobody could answer.
 *   - `first + count` is formed in 32 bits and cannot wrap, so a range that runs past REGISTERS is always found.
 *   - REQUEST_OK implies count >= 1.
 *   - The loop of crc16() runs exactly 8 times for each byte.
 *
 *   pct analyze examples/protocols/modbus_check.c -f check_request
 */
#include <stddef.h>
#include <stdint.h>

#define OWN_ADDRESS 17
#define BROADCAST 0
#define MIN_FRAME 8
#define MAX_FRAME 256
#define REGISTERS 1000

enum function { READ_HOLDING = 3, READ_INPUT = 4, WRITE_ONE = 6, WRITE_MANY = 16 };

enum verdict {
	REQUEST_OK,
	REQUEST_NOT_OURS,
	REQUEST_LENGTH,
	REQUEST_CRC,
	REQUEST_FUNCTION,
	REQUEST_RANGE
};

static uint16_t crc16(const uint8_t *data, size_t n)
{
	uint16_t crc = 0xFFFF;
	size_t i;
	int bit;

	for (i = 0; i < n; i++) {
		crc ^= data[i];
		for (bit = 0; bit < 8; bit++) {
			if (crc & 1)
				crc = (uint16_t)((crc >> 1) ^ 0xA001);
			else
				crc >>= 1;
		}
	}
	return crc;
}

static uint16_t word_at(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

enum verdict check_request(const uint8_t *frame, size_t length)
{
	uint8_t address, function;
	uint16_t received;
	uint32_t first, count;

	if (length < MIN_FRAME || length > MAX_FRAME)
		return REQUEST_LENGTH;

	address = frame[0];
	if (address != OWN_ADDRESS && address != BROADCAST)
		return REQUEST_NOT_OURS;

	received = (uint16_t)(frame[length - 2] | frame[length - 1] << 8);
	if (received != crc16(frame, length - 2))
		return REQUEST_CRC;

	function = frame[1];
	first = word_at(&frame[2]);
	switch (function) {
	case READ_HOLDING:
	case READ_INPUT:
		if (address == BROADCAST || length != MIN_FRAME)
			return REQUEST_FUNCTION;
		count = word_at(&frame[4]);
		if (count > 125)
			return REQUEST_RANGE;
		break;
	case WRITE_ONE:
		if (length != MIN_FRAME)
			return REQUEST_LENGTH;
		count = 1;
		break;
	case WRITE_MANY:
		count = word_at(&frame[4]);
		if (count > 123 || frame[6] != 2 * count || length != 9 + 2 * count)
			return REQUEST_LENGTH;
		break;
	default:
		return REQUEST_FUNCTION;
	}

	if (count == 0 || first + count > REGISTERS)
		return REQUEST_RANGE;
	return REQUEST_OK;
}
