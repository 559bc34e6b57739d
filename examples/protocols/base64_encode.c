/*
 * Base64: three bytes become four characters, the last group is filled up with '='.
 *
 * What is true of base64_encode():
 *   - It returns 4 * ceil(n / 3), the number of characters written before the zero byte, or 0 if they do not fit.
 *   - It writes nothing if capacity is too small, and never more than capacity bytes.
 *   - The index into the alphabet is always below 64.
 *   - After the loop 0, 1 or 2 bytes are left: `left == 1` and `left == 2` exclude each other.
 *   - n is refused from LENGTH_LIMIT on, so that 4 * n / 3 cannot wrap.
 *
 *   pct analyze examples/protocols/base64_encode.c -f base64_encode
 */
#include <stddef.h>
#include <stdint.h>

#define LENGTH_LIMIT 0x10000000u

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_group(char *out, uint32_t bits)
{
	out[0] = alphabet[(bits >> 18) & 63];
	out[1] = alphabet[(bits >> 12) & 63];
	out[2] = alphabet[(bits >> 6) & 63];
	out[3] = alphabet[bits & 63];
}

size_t base64_encode(const uint8_t *data, size_t n, char *out, size_t capacity)
{
	size_t needed, left, i = 0, o = 0;

	if (n >= LENGTH_LIMIT)
		return 0;
	needed = (n + 2) / 3 * 4;
	if (needed == 0 || capacity < needed + 1)
		return 0;

	while (n - i >= 3) {
		put_group(out + o, (uint32_t)data[i] << 16 | (uint32_t)data[i + 1] << 8 | data[i + 2]);
		i += 3;
		o += 4;
	}

	left = n - i;
	if (left == 1) {
		put_group(out + o, (uint32_t)data[i] << 16);
		out[o + 2] = '=';
		out[o + 3] = '=';
		o += 4;
	} else if (left == 2) {
		put_group(out + o, (uint32_t)data[i] << 16 | (uint32_t)data[i + 1] << 8);
		out[o + 3] = '=';
		o += 4;
	}
	out[o] = '\0';
	return o;
}
