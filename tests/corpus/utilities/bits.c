/* Utility style: bit tricks, sets of bits, byte order, a small random generator, integer roots and logarithms. */
#include <stdint.h>
#include <stdbool.h>
#include <limits.h>

#define WORD_BITS (sizeof(unsigned long) * CHAR_BIT)

unsigned population(uint32_t x)
{
	x = x - ((x >> 1) & 0x55555555u);
	x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
	x = (x + (x >> 4)) & 0x0F0F0F0Fu;
	return (x * 0x01010101u) >> 24;
}

unsigned population_loop(uint32_t x)
{
	unsigned n = 0;

	for (; x; x &= x - 1)
		n++;
	return n;
}

bool is_power_of_two(uint32_t x)
{
	return x && !(x & (x - 1));
}

uint32_t round_up_power(uint32_t x)
{
	if (x == 0 || x > 0x80000000u)
		return 0;
	x--;
	x |= x >> 1;
	x |= x >> 2;
	x |= x >> 4;
	x |= x >> 8;
	x |= x >> 16;
	return x + 1;
}

int trailing_zeros(uint32_t x)
{
	int n = 0;

	if (!x)
		return 32;
	if (!(x & 0xFFFFu)) {
		n += 16;
		x >>= 16;
	}
	if (!(x & 0xFFu)) {
		n += 8;
		x >>= 8;
	}
	if (!(x & 0xFu)) {
		n += 4;
		x >>= 4;
	}
	if (!(x & 3u)) {
		n += 2;
		x >>= 2;
	}
	return n + !(x & 1u);
}

uint32_t reverse_bits(uint32_t x)
{
	uint32_t r = 0;
	int i;

	for (i = 0; i < 32; i++, x >>= 1)
		r = r << 1 | (x & 1u);
	return r;
}

uint32_t swap_bytes(uint32_t x)
{
	return x << 24 | (x & 0xFF00u) << 8 | (x >> 8 & 0xFF00u) | x >> 24;
}

uint32_t rotate_left(uint32_t x, unsigned n)
{
	n &= 31;
	return n ? x << n | x >> (32 - n) : x;
}

uint64_t load_big_endian(const uint8_t *p, int n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | *p++;
	return v;
}

void store_little_endian(uint8_t *p, uint64_t v, int n)
{
	for (; n > 0; n--, v >>= 8)
		*p++ = (uint8_t)v;
}

int absolute(int x)
{
	int mask = x >> (sizeof(int) * CHAR_BIT - 1);

	return (x + mask) ^ mask;
}

int sign_of(int x)
{
	return (x > 0) - (x < 0);
}

bool opposite_signs(int a, int b)
{
	return (a ^ b) < 0;
}

void swap_without_temporary(int *a, int *b)
{
	if (a == b)
		return;
	*a ^= *b;
	*b ^= *a;
	*a ^= *b;
}

uint32_t integer_root(uint32_t x)
{
	uint32_t root = 0, bit = 1u << 30;

	while (bit > x)
		bit >>= 2;
	while (bit) {
		if (x >= root + bit) {
			x -= root + bit;
			root = (root >> 1) + bit;
		} else
			root >>= 1;
		bit >>= 2;
	}
	return root;
}

int integer_log10(uint32_t x)
{
	static const uint32_t powers[] = { 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000 };
	int n = 0;

	while (n < 9 && x >= powers[n])
		n++;
	return n;
}

uint32_t power_mod(uint32_t base, uint32_t exponent, uint32_t modulus)
{
	uint64_t result = 1, b;

	if (modulus == 0)
		return 0;
	b = base % modulus;
	for (result %= modulus; exponent; exponent >>= 1) {
		if (exponent & 1)
			result = result * b % modulus;
		b = b * b % modulus;
	}
	return (uint32_t)result;
}

void set_add(unsigned long *set, unsigned i)
{
	set[i / WORD_BITS] |= 1ul << i % WORD_BITS;
}

void set_remove(unsigned long *set, unsigned i)
{
	set[i / WORD_BITS] &= ~(1ul << i % WORD_BITS);
}

bool set_has(const unsigned long *set, unsigned i)
{
	return set[i / WORD_BITS] >> i % WORD_BITS & 1;
}

int set_next(const unsigned long *set, unsigned size, unsigned from)
{
	for (; from < size; from++)
		if (set_has(set, from))
			return (int)from;
	return -1;
}

bool set_is_subset(const unsigned long *a, const unsigned long *b, unsigned words)
{
	while (words--)
		if (a[words] & ~b[words])
			return false;
	return true;
}

static uint32_t random_state = 1;

uint32_t random_next(void)
{
	uint32_t x = random_state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return random_state = x;
}

uint32_t random_below(uint32_t n)
{
	uint32_t limit, x;

	if (n < 2)
		return 0;
	limit = UINT32_MAX - UINT32_MAX % n;
	do
		x = random_next();
	while (x >= limit);
	return x % n;
}

void shuffle(int *a, int n)
{
	int i, j, t;

	for (i = n - 1; i > 0; i--) {
		j = (int)random_below((uint32_t)i + 1);
		t = a[i];
		a[i] = a[j];
		a[j] = t;
	}
}
