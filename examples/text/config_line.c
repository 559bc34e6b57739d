/*
 * A line of a configuration file: "key = value", with comments and blanks.
 *
 * What is true of parse_line():
 *   - LINE_PAIR implies that key and value end with a zero byte within their arrays and that key is not empty.
 *   - A value may be empty; a key that starts with a digit is refused.
 *   - A '#' starts a comment only at the start of the line or in the value; in a key it is an error.
 *   - Nothing after the zero byte of the line is read.
 *   - A key or value that is too long is an error, and nothing is written past the arrays.
 *
 *   pct analyze examples/text/config_line.c -f parse_line
 */
#include <ctype.h>
#include <stdbool.h>

#define KEY_SIZE 16
#define VALUE_SIZE 32

enum line_kind { LINE_EMPTY, LINE_PAIR, LINE_BAD_KEY, LINE_NO_EQUALS, LINE_TOO_LONG };

struct pair {
	char key[KEY_SIZE];
	char value[VALUE_SIZE];
};

static bool is_key_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static const char *skip_blanks(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

enum line_kind parse_line(const char *line, struct pair *pair)
{
	const char *s = skip_blanks(line);
	int n = 0, end = 0;

	if (*s == '\0' || *s == '\n' || *s == '#')
		return LINE_EMPTY;
	if (isdigit((unsigned char)*s))
		return LINE_BAD_KEY;

	while (is_key_char(*s)) {
		if (n >= KEY_SIZE - 1)
			return LINE_TOO_LONG;
		pair->key[n++] = *s++;
	}
	pair->key[n] = '\0';
	if (n == 0)
		return LINE_BAD_KEY;

	s = skip_blanks(s);
	if (*s == '#')
		return LINE_BAD_KEY;
	if (*s != '=')
		return LINE_NO_EQUALS;
	s = skip_blanks(s + 1);

	n = 0;
	while (*s != '\0' && *s != '\n' && *s != '#') {
		if (n >= VALUE_SIZE - 1)
			return LINE_TOO_LONG;
		pair->value[n++] = *s;
		if (*s != ' ' && *s != '\t')
			end = n;
		s++;
	}
	pair->value[end] = '\0';
	return LINE_PAIR;
}
