/*
 * Greatest common divisor, least common multiple, primality by trial division.
 *
 * What is true of is_prime():
 *   - It is right for every unsigned number of 32 bits.
 *   - `d <= n / d` cannot overflow, unlike `d * d <= n`.
 *   - In the loop n is odd and not divisible by 3, so only numbers of the form 6 k - 1 and 6 k + 1 are tried.
 *   - `n % 2 == 0` after `n < 4` is never true for 2 itself.
 * What is true of the others:
 *   - gcd(a, 0) == a and gcd(0, 0) == 0.
 *   - lcm() returns 0 if one number is 0 or if the result does not fit into 32 bits.
 *   - next_prime() returns the smallest prime above n, or 0 if there is none of 32 bits.
 *
 *   pct analyze examples/algorithms/number_theory.c -f is_prime
 */
#include <stdbool.h>
#include <stdint.h>

uint32_t gcd(uint32_t a, uint32_t b)
{
	while (b != 0) {
		uint32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

uint32_t lcm(uint32_t a, uint32_t b)
{
	uint32_t part;

	if (a == 0 || b == 0)
		return 0;
	part = a / gcd(a, b);
	if (part > UINT32_MAX / b)
		return 0;
	return part * b;
}

bool is_prime(uint32_t n)
{
	uint32_t d;

	if (n < 4)
		return n >= 2;
	if (n % 2 == 0 || n % 3 == 0)
		return false;
	for (d = 5; d <= n / d; d += 6) {
		if (n % d == 0 || n % (d + 2) == 0)
			return false;
	}
	return true;
}

uint32_t next_prime(uint32_t n)
{
	while (n < UINT32_MAX) {
		n++;
		if (is_prime(n))
			return n;
	}
	return 0;
}
