/*
 * The strict decoding of one UTF-8 character.
 *
 * What is true of utf8_decode():
 *   - It returns the number of bytes used (1 to 4) and stores the code point, or 0 and stores REPLACEMENT.
 *   - It reads at most n bytes, and none after the first wrong one.
 *   - Overlong forms, surrogates (0xD800 to 0xDFFF) and values above 0x10FFFF are refused.
 *   - A lead byte of 0xC0 or 0xC1 is refused as an overlong form: `code < minimum` holds for all its continuations.
 *   - For sequences of two bytes the tests for surrogates and for values above 0x10FFFF are false.
 *   - Every code point that is accepted has exactly one encoding that is.
 *
 *   pct analyze examples/protocols/utf8_decode.c -f utf8_decode
 */
#include <stddef.h>
#include <stdint.h>

#define REPLACEMENT 0xFFFDu

static int is_continuation(uint8_t byte)
{
	return (byte & 0xC0) == 0x80;
}

int utf8_decode(const uint8_t *s, size_t n, uint32_t *code_point)
{
	uint32_t code, minimum;
	int length, i;

	*code_point = REPLACEMENT;
	if (n == 0)
		return 0;

	if (s[0] < 0x80) {
		*code_point = s[0];
		return 1;
	} else if ((s[0] & 0xE0) == 0xC0) {
		length = 2;
		minimum = 0x80;
		code = s[0] & 0x1F;
	} else if ((s[0] & 0xF0) == 0xE0) {
		length = 3;
		minimum = 0x800;
		code = s[0] & 0x0F;
	} else if ((s[0] & 0xF8) == 0xF0) {
		length = 4;
		minimum = 0x10000;
		code = s[0] & 0x07;
	} else {
		return 0;
	}

	for (i = 1; i < length; i++) {
		if ((size_t)i >= n || !is_continuation(s[i]))
			return 0;
		code = code << 6 | (s[i] & 0x3F);
	}

	if (code < minimum)
		return 0;
	if (code >= 0xD800 && code <= 0xDFFF)
		return 0;
	if (code > 0x10FFFF)
		return 0;
	*code_point = code;
	return length;
}
