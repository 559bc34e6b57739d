/*
 * A convolution of a grey image with a kernel of 3x3, the border repeated.
 *
 * What is true of convolve():
 *   - Coordinates are clamped before the image is read, so no pixel outside is read, whatever the kernel.
 *   - Within the image (not at its border) no clamping takes place.
 *   - The result of a pixel is between 0 and 255; sums outside are cut off.
 *   - shift is between 0 and 15, or the function refuses to work. The width or height may be 0, then nothing is
 *     written.
 *   - dst must be another image than src.
 *
 *   pct analyze examples/algorithms/convolution.c -f convolve
 */
#include <stdbool.h>
#include <stdint.h>

#define WIDTH 16
#define HEIGHT 12

struct kernel {
	int8_t weight[3][3];
	uint8_t shift;
};

const struct kernel blur = { { { 1, 2, 1 }, { 2, 4, 2 }, { 1, 2, 1 } }, 4 };
const struct kernel edges = { { { 0, -1, 0 }, { -1, 4, -1 }, { 0, -1, 0 } }, 0 };

static int clamp(int x, int high)
{
	if (x < 0)
		return 0;
	if (x > high)
		return high;
	return x;
}

bool convolve(uint8_t src[HEIGHT][WIDTH], uint8_t dst[HEIGHT][WIDTH], int width, int height, const struct kernel *k)
{
	int x, y, dx, dy;

	if (width < 0 || width > WIDTH || height < 0 || height > HEIGHT || k->shift > 15)
		return false;

	for (y = 0; y < height; y++) {
		for (x = 0; x < width; x++) {
			int32_t sum = 0;

			for (dy = -1; dy <= 1; dy++) {
				for (dx = -1; dx <= 1; dx++) {
					int sx = clamp(x + dx, width - 1);
					int sy = clamp(y + dy, height - 1);

					sum += k->weight[dy + 1][dx + 1] * src[sy][sx];
				}
			}
			sum >>= k->shift;
			dst[y][x] = (uint8_t)clamp(sum, 255);
		}
	}
	return true;
}
