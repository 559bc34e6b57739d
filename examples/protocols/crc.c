/*
 * Cyclic redundancy checks: CRC-8 (polynomial 0x07) bit by bit, CRC-16 (0x1021, start 0xFFFF) with a table of nibbles.
 *
 * What is true of crc8():
 *   - The inner loop runs 8 times for each byte, whatever the data.
 *   - The test of the top bit is true at least once for data that are not all zero. For zeros it never is, and the
 *     result is 0.
 *   - Appending the check byte to the data gives the check value 0.
 * What is true of crc16():
 *   - The index into the table is always below 16.
 *   - crc16() of the nine characters "123456789" is 0x29B1, and crc8() of them 0xF4.
 *
 *   pct analyze examples/protocols/crc.c -f crc8
 */
#include <stddef.h>
#include <stdint.h>

uint8_t crc8(const uint8_t *data, size_t n)
{
	uint8_t crc = 0;
	size_t i;
	int bit;

	for (i = 0; i < n; i++) {
		crc ^= data[i];
		for (bit = 0; bit < 8; bit++) {
			if (crc & 0x80)
				crc = (uint8_t)((crc << 1) ^ 0x07);
			else
				crc = (uint8_t)(crc << 1);
		}
	}
	return crc;
}

static const uint16_t nibble_table[16] = {
	0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
	0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF
};

static uint16_t crc16_nibble(uint16_t crc, uint8_t nibble)
{
	uint8_t index = (uint8_t)((crc >> 12) ^ (nibble & 0x0F));

	return (uint16_t)((crc << 4) ^ nibble_table[index]);
}

uint16_t crc16(const uint8_t *data, size_t n)
{
	uint16_t crc = 0xFFFF;

	while (n-- > 0) {
		crc = crc16_nibble(crc, (uint8_t)(*data >> 4));
		crc = crc16_nibble(crc, (uint8_t)(*data & 0x0F));
		data++;
	}
	return crc;
}

/* A message ends with its CRC-8. */
int message_is_intact(const uint8_t *message, size_t n)
{
	if (message == NULL || n < 2)
		return 0;
	return crc8(message, n) == 0;
}
