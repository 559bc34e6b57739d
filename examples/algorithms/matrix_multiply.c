/*
 * Multiplication of 3x3 matrices in fixed point (Q16.16), with saturation, as it is used for rotating sensor axes.
 *
 * What is true of matrix_multiply():
 *   - Each loop runs exactly three times; the innermost statement runs 27 times.
 *   - Each product fits into 64 bits and is shifted before it is added, so nothing overflows. (The plain sum of three
 *     products could.)
 *   - saturated counts the elements of the result that did not fit.
 *   - out may not be the same object as a or b: the inputs are read after the first element was written.
 *   - The product with the identity is the matrix itself, and nothing is saturated.
 *
 *   pct analyze examples/algorithms/matrix_multiply.c -f matrix_multiply
 */
#include <stdint.h>

#define N 3
#define ONE 0x10000

typedef int32_t fixed_t;
typedef fixed_t matrix_t[N][N];

const matrix_t identity = { { ONE, 0, 0 }, { 0, ONE, 0 }, { 0, 0, ONE } };

int matrix_multiply(matrix_t a, matrix_t b, matrix_t out)
{
	int i, j, k, saturated = 0;

	for (i = 0; i < N; i++) {
		for (j = 0; j < N; j++) {
			int64_t sum = 0;

			for (k = 0; k < N; k++)
				sum += ((int64_t)a[i][k] * b[k][j]) >> 16;
			if (sum > INT32_MAX) {
				sum = INT32_MAX;
				saturated++;
			} else if (sum < INT32_MIN) {
				sum = INT32_MIN;
				saturated++;
			}
			out[i][j] = (fixed_t)sum;
		}
	}
	return saturated;
}

int matrix_is_symmetric(matrix_t m)
{
	int i, j;

	for (i = 1; i < N; i++)
		for (j = 0; j < i; j++)
			if (m[i][j] != m[j][i])
				return 0;
	return 1;
}
