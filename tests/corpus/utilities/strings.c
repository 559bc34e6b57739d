/* Utility style: a growing string, own versions of the memory functions, base conversions, a logger with varargs. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <limits.h>

struct builder {
	char *data;
	size_t length, capacity;
	int failed;
};

void *my_memcpy(void *restrict to, const void *restrict from, size_t n)
{
	unsigned char *d = to;
	const unsigned char *s = from;

	if ((((uintptr_t)d | (uintptr_t)s) & (sizeof(long) - 1)) == 0) {
		for (; n >= sizeof(long); n -= sizeof(long)) {
			*(long *)d = *(const long *)s;
			d += sizeof(long);
			s += sizeof(long);
		}
	}
	while (n--)
		*d++ = *s++;
	return to;
}

void *my_memmove(void *to, const void *from, size_t n)
{
	char *d = to;
	const char *s = from;

	if (d == s || n == 0)
		return to;
	if (d < s || d >= s + n) {
		while (n--)
			*d++ = *s++;
	} else {
		d += n;
		s += n;
		while (n--)
			*--d = *--s;
	}
	return to;
}

void *my_memset(void *p, int c, size_t n)
{
	unsigned char *d = p;

	while (n-- > 0)
		*d++ = (unsigned char)c;
	return p;
}

int my_memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	for (; n; n--, x++, y++)
		if (*x != *y)
			return *x < *y ? -1 : 1;
	return 0;
}

char *my_strstr(const char *hay, const char *needle)
{
	size_t i;

	if (!*needle)
		return (char *)hay;
	for (; *hay; hay++) {
		for (i = 0; needle[i] && hay[i] == needle[i]; i++)
			;
		if (!needle[i])
			return (char *)hay;
	}
	return NULL;
}

char *my_strtok(char *s, const char *separators, char **state)
{
	char *start;
	const char *p;

	if (!s)
		s = *state;
	if (!s)
		return NULL;
skip:
	for (p = separators; *p; p++)
		if (*s == *p) {
			s++;
			goto skip;
		}
	if (!*s)
		return *state = NULL;
	for (start = s; *s; s++)
		for (p = separators; *p; p++)
			if (*s == *p) {
				*s = '\0';
				*state = s + 1;
				return start;
			}
	*state = NULL;
	return start;
}

static int reserve(struct builder *b, size_t more)
{
	size_t wanted, capacity;
	char *p;

	if (b->failed || more > SIZE_MAX / 2 - b->length)
		goto fail;
	wanted = b->length + more + 1;
	if (wanted <= b->capacity)
		return 1;
	capacity = b->capacity ? b->capacity : 16;
	while (capacity < wanted)
		capacity *= 2;
	p = realloc(b->data, capacity);
	if (!p)
		goto fail;
	b->data = p;
	b->capacity = capacity;
	return 1;
fail:
	b->failed = 1;
	return 0;
}

void add_char(struct builder *b, char c)
{
	if (!reserve(b, 1))
		return;
	b->data[b->length++] = c;
	b->data[b->length] = '\0';
}

void add_text(struct builder *b, const char *s)
{
	while (s && *s)
		add_char(b, *s++);
}

void add_number(struct builder *b, unsigned long v, unsigned base, int width, char pad)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	char buf[sizeof v * CHAR_BIT];
	int n = 0;

	if (base < 2 || base > 36)
		return;
	do
		buf[n++] = digits[v % base];
	while ((v /= base) != 0);
	for (; width > n; width--)
		add_char(b, pad);
	while (n)
		add_char(b, buf[--n]);
}

int parse_number(const char *s, unsigned base, unsigned long *out)
{
	unsigned long v = 0;
	const char *start = s;

	if (base == 0) {
		base = 10;
		if (*s == '0') {
			base = 8;
			if (s[1] == 'x' || s[1] == 'X') {
				base = 16;
				s += 2;
				start = s;
			}
		}
	}
	for (;; s++) {
		unsigned d;

		if (*s >= '0' && *s <= '9')
			d = *s - '0';
		else if ((*s | 32) >= 'a' && (*s | 32) <= 'z')
			d = (*s | 32) - 'a' + 10;
		else
			break;
		if (d >= base)
			break;
		if (v > (ULONG_MAX - d) / base)
			return -1;
		v = v * base + d;
	}
	if (s == start)
		return -1;
	*out = v;
	return (int)(s - start);
}

void add_format(struct builder *b, const char *format, va_list ap)
{
	for (; *format; format++) {
		int width = 0, is_long = 0;
		char pad = ' ';

		if (*format != '%') {
			add_char(b, *format);
			continue;
		}
		format++;
		if (*format == '0')
			pad = *format++;
		while (*format >= '0' && *format <= '9' && width < 100)
			width = width * 10 + (*format++ - '0');
		while (*format == 'l')
			is_long = 1, format++;
		switch (*format) {
		case 'd': {
			long v = is_long ? va_arg(ap, long) : va_arg(ap, int);

			if (v < 0)
				add_char(b, '-');
			add_number(b, v < 0 ? -(unsigned long)v : (unsigned long)v, 10, width, pad);
			break;
		}
		case 'u':
		case 'x':
			add_number(b, is_long ? va_arg(ap, unsigned long) : va_arg(ap, unsigned), *format == 'x' ? 16 : 10, width, pad);
			break;
		case 'c':
			add_char(b, (char)va_arg(ap, int));
			break;
		case 's':
			add_text(b, va_arg(ap, const char *));
			break;
		case '\0':
			return;
		default:
			add_char(b, *format);
		}
	}
}

int log_level = 1;

void log_message(int level, const char *file, int line, const char *format, ...)
{
	static const char *const names[] = { "debug", "info", "warning", "error" };
	struct builder b = { 0 };
	va_list ap;

	if (level < log_level || level > 3)
		return;
	add_text(&b, names[level < 0 ? 0 : level]);
	add_char(&b, ' ');
	add_text(&b, file);
	add_char(&b, ':');
	add_number(&b, (unsigned long)line, 10, 0, ' ');
	add_text(&b, ": ");
	va_start(ap, format);
	add_format(&b, format, ap);
	va_end(ap);
	if (!b.failed)
		fputs(b.data, stderr);
	free(b.data);
}

#define LOG(level, ...) log_message((level), __FILE__, __LINE__, __VA_ARGS__)

int log_example(int x)
{
	if (x < 0)
		LOG(2, "x is %d\n", x);
	else
		LOG(0, "x is %lx, %s\n", (unsigned long)x, "fine");
	return x;
}
