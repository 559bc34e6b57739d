/*
 * A tokenizer for a small expression language: names, numbers, strings, operators, comments.
 *
 * What is true of next_token():
 *   - The position never goes past the zero byte that ends the text, and grows with every token but TOKEN_END.
 *   - TOKEN_END is returned again and again once the end was reached.
 *   - A string that is not closed on its line (unless the line end is escaped) is TOKEN_ERROR, as are a comment that is
 *     not closed, a number that is followed by a letter, and a single '&' or '|'.
 *   - A number too large for int is TOKEN_ERROR; the value never overflows while it is computed.
 *   - A token has start <= end, and start == end only for TOKEN_END.
 *
 *   pct analyze examples/text/tokenizer.c -f next_token
 */
#include <limits.h>
#include <stdbool.h>

typedef enum {
	TOKEN_END,
	TOKEN_NAME,
	TOKEN_NUMBER,
	TOKEN_STRING,
	TOKEN_OPERATOR,
	TOKEN_ERROR
} kind_t;

typedef struct {
	const char *text;
	int position;
	int line;
} source_t;

typedef struct {
	kind_t kind;
	int start, end;
	int value;
} token_t;

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Skips blanks and comments; false if a comment is not closed. */
static bool skip_space(source_t *s)
{
	for (;;) {
		char c = s->text[s->position];

		if (c == '\n') {
			s->line++;
			s->position++;
		} else if (c == ' ' || c == '\t' || c == '\r') {
			s->position++;
		} else if (c == '/' && s->text[s->position + 1] == '*') {
			s->position += 2;
			while (!(s->text[s->position] == '*' && s->text[s->position + 1] == '/')) {
				if (s->text[s->position] == '\0')
					return false;
				if (s->text[s->position] == '\n')
					s->line++;
				s->position++;
			}
			s->position += 2;
		} else {
			return true;
		}
	}
}

static kind_t number(source_t *s, int *value)
{
	bool too_large = false;

	*value = 0;
	while (is_digit(s->text[s->position])) {
		int digit = s->text[s->position] - '0';

		if (*value > (INT_MAX - digit) / 10)
			too_large = true;
		else
			*value = *value * 10 + digit;
		s->position++;
	}
	if (too_large || is_letter(s->text[s->position]))
		return TOKEN_ERROR;
	return TOKEN_NUMBER;
}

static kind_t string(source_t *s)
{
	s->position++;
	while (s->text[s->position] != '"') {
		if (s->text[s->position] == '\0' || s->text[s->position] == '\n')
			return TOKEN_ERROR;
		if (s->text[s->position] == '\\' && s->text[s->position + 1] != '\0')
			s->position++;
		s->position++;
	}
	s->position++;
	return TOKEN_STRING;
}

token_t next_token(source_t *s)
{
	token_t token = { TOKEN_END, 0, 0, 0 };
	bool closed = skip_space(s);
	char c = s->text[s->position];
	char next;

	token.start = s->position;
	if (!closed) {
		/* The whole comment is the token; it began before the position. */
		token.start = s->position - 1;
		token.kind = TOKEN_ERROR;
	} else if (c == '\0') {
		token.kind = TOKEN_END;
	} else if (is_letter(c)) {
		while (is_letter(s->text[s->position]) || is_digit(s->text[s->position]))
			s->position++;
		token.kind = TOKEN_NAME;
	} else if (is_digit(c)) {
		token.kind = number(s, &token.value);
	} else if (c == '"') {
		token.kind = string(s);
	} else {
		next = s->text[s->position + 1];
		s->position++;
		token.kind = TOKEN_OPERATOR;
		switch (c) {
		case '<':
		case '>':
		case '=':
		case '!':
			if (next == '=')
				s->position++;
			break;
		case '&':
		case '|':
			if (next == c)
				s->position++;
			else
				token.kind = TOKEN_ERROR;
			break;
		case '+': case '-': case '*': case '/':
		case '(': case ')': case ',': case ';':
			break;
		default:
			token.kind = TOKEN_ERROR;
			break;
		}
	}
	token.end = s->position;
	return token;
}
