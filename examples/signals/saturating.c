/*
 * Saturating arithmetic on 32 bits, without a wider type.
 *
 * What is true of sat_mul():
 *   - It returns a * b if that fits, else the limit on the side of the true result.
 *   - No expression in it overflows, and INT32_MIN is never divided by -1.
 * What is true of the others:
 *   - sat_add() and sat_sub() do not overflow, whatever their arguments; the two limits exclude each other.
 *   - sat_neg(INT32_MIN) is INT32_MAX.
 *   - sat_shl() accepts shifts of 0 and more; from 31 on every number but 0 saturates, INT32_MIN or INT32_MAX.
 *
 *   pct analyze examples/signals/saturating.c -f sat_mul
 */
#include <stdint.h>

int32_t sat_add(int32_t a, int32_t b)
{
	if (b > 0 && a > INT32_MAX - b)
		return INT32_MAX;
	if (b < 0 && a < INT32_MIN - b)
		return INT32_MIN;
	return a + b;
}

int32_t sat_neg(int32_t a)
{
	return a == INT32_MIN ? INT32_MAX : -a;
}

int32_t sat_sub(int32_t a, int32_t b)
{
	if (b < 0 && a > INT32_MAX + b)
		return INT32_MAX;
	if (b > 0 && a < INT32_MIN + b)
		return INT32_MIN;
	return a - b;
}

int32_t sat_mul(int32_t a, int32_t b)
{
	if (a == 0 || b == 0)
		return 0;
	if (a > 0 && b > 0)
		return a > INT32_MAX / b ? INT32_MAX : a * b;
	if (a < 0 && b < 0)
		return a < INT32_MAX / b ? INT32_MAX : a * b;
	if (a > 0)
		return b < INT32_MIN / a ? INT32_MIN : a * b;
	return a < INT32_MIN / b ? INT32_MIN : a * b;
}

int32_t sat_shl(int32_t a, unsigned shift)
{
	while (shift > 0 && a != 0) {
		if (a > INT32_MAX / 2)
			return INT32_MAX;
		if (a < INT32_MIN / 2)
			return INT32_MIN;
		a *= 2;
		shift--;
	}
	return a;
}
