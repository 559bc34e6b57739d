/*
 * String routines as one writes them where there is no library: length, comparison, trimming, numbers to and from text.
 *
 * What is true of my_atoi():
 *   - It skips blanks, takes one sign, and stops at the first character that is no digit.
 *   - It saturates at INT_MAX and INT_MIN instead of overflowing.
 *   - Without any digit the result is 0 and *end is the start of the text.
 * What is true of the others:
 *   - my_strcmp() compares as unsigned characters, and is 0 only for equal strings.
 *   - trim() removes blanks at both ends in place, and returns the new length; for a string of blanks only, that is 0.
 *   - my_itoa() writes at most 12 bytes, zero byte included; INT_MIN is right, because the digits are taken from an
 *     unsigned number.
 *
 *   pct analyze examples/text/strings.c -f my_atoi
 */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

size_t my_strlen(const char *s)
{
	const char *p = s;

	while (*p)
		p++;
	return (size_t)(p - s);
}

int my_strcmp(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

size_t trim(char *s)
{
	size_t first = 0, last = my_strlen(s), i;

	while (last > 0 && is_blank(s[last - 1]))
		last--;
	while (first < last && is_blank(s[first]))
		first++;
	for (i = first; i < last; i++)
		s[i - first] = s[i];
	s[last - first] = '\0';
	return last - first;
}

int my_atoi(const char *s, const char **end)
{
	const char *start = s;
	bool negative = false;
	bool any = false;
	int value = 0;

	while (is_blank(*s))
		s++;
	if (*s == '+' || *s == '-') {
		negative = *s == '-';
		s++;
	}
	while (*s >= '0' && *s <= '9') {
		int digit = *s - '0';

		/* The value is kept negative, since INT_MIN has no positive counterpart. */
		if (value < (INT_MIN + digit) / 10)
			value = INT_MIN;
		else
			value = value * 10 - digit;
		any = true;
		s++;
	}
	*end = any ? s : start;
	if (negative)
		return value;
	return value == INT_MIN ? INT_MAX : -value;
}

char *my_itoa(int value, char *out)
{
	char digits[10];
	unsigned int rest = value < 0 ? 0u - (unsigned int)value : (unsigned int)value;
	int n = 0, o = 0;

	do {
		digits[n++] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (value < 0)
		out[o++] = '-';
	while (n > 0)
		out[o++] = digits[--n];
	out[o] = '\0';
	return out;
}
