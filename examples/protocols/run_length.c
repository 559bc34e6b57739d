/*
 * Run-length coding of bytes: pairs of a count (1 to 255) and a value.
 *
 * What is true of rle_encode():
 *   - It returns the number of bytes written, always even, or -1 if they do not fit into capacity.
 *   - A count is never 0, and two neighbouring pairs have the same value only if the first count is 255.
 *   - `run < 255` is false only if 255 equal bytes follow each other.
 *   - It reads only in[0] to in[n - 1], although it looks ahead: `i + run < n` stands first.
 * What is true of rle_decode():
 *   - It returns -1 for an odd length, for a count of 0, and if the result does not fit.
 *   - rle_decode() gives back what rle_encode() was given, if it fits.
 *
 *   pct analyze examples/protocols/run_length.c -f rle_encode
 */
#include <stdint.h>

int rle_encode(const uint8_t *in, int n, uint8_t *out, int capacity)
{
	int i = 0, o = 0;

	while (i < n) {
		int run = 1;

		while (i + run < n && run < 255 && in[i + run] == in[i])
			run++;
		if (capacity - o < 2)
			return -1;
		out[o++] = (uint8_t)run;
		out[o++] = in[i];
		i += run;
	}
	return o;
}

int rle_decode(const uint8_t *in, int n, uint8_t *out, int capacity)
{
	int i, o = 0;

	if (n < 0 || n % 2 != 0)
		return -1;
	for (i = 0; i < n; i += 2) {
		int count = in[i];

		if (count == 0 || count > capacity - o)
			return -1;
		while (count > 0) {
			out[o++] = in[i + 1];
			count--;
		}
	}
	return o;
}
