/* Utility style: a recursive evaluator of expressions, a glob matcher, an edit distance, a path normaliser. */
#include <stdbool.h>
#include <string.h>

struct parser {
	const char *at;
	const char *error;
	int depth;
};

static long expression(struct parser *p);

static void blanks(struct parser *p)
{
	while (*p->at == ' ')
		p->at++;
}

static long fail(struct parser *p, const char *what)
{
	if (!p->error)
		p->error = what;
	return 0;
}

static long primary(struct parser *p)
{
	long v;

	blanks(p);
	if (*p->at == '(') {
		p->at++;
		if (++p->depth > 20)
			return fail(p, "too deep");
		v = expression(p);
		p->depth--;
		blanks(p);
		if (*p->at != ')')
			return fail(p, ") expected");
		p->at++;
		return v;
	}
	if (*p->at == '-') {
		p->at++;
		return -primary(p);
	}
	if (*p->at < '0' || *p->at > '9')
		return fail(p, "number expected");
	for (v = 0; *p->at >= '0' && *p->at <= '9'; p->at++) {
		if (v > 100000000L)
			return fail(p, "number too large");
		v = 10 * v + *p->at - '0';
	}
	return v;
}

static long term(struct parser *p)
{
	long v = primary(p), w;

	for (;;) {
		blanks(p);
		if (*p->at == '*') {
			p->at++;
			v *= primary(p);
		} else if (*p->at == '/' || *p->at == '%') {
			bool rest = *p->at++ == '%';

			w = primary(p);
			if (w == 0)
				return fail(p, "division by zero");
			v = rest ? v % w : v / w;
		} else
			return v;
	}
}

static long expression(struct parser *p)
{
	long v = term(p);

	for (;;) {
		blanks(p);
		switch (*p->at) {
		case '+':
			p->at++;
			v += term(p);
			break;
		case '-':
			p->at++;
			v -= term(p);
			break;
		default:
			return v;
		}
	}
}

bool evaluate(const char *text, long *value, const char **error)
{
	struct parser p = { .at = text };

	*value = expression(&p);
	blanks(&p);
	if (*p.at && !p.error)
		p.error = "operator expected";
	*error = p.error;
	return p.error == NULL;
}

bool glob(const char *pattern, const char *text)
{
	const char *star = NULL, *resume = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			resume = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++resume;
		} else
			return false;
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

bool glob_recursive(const char *pattern, const char *text)
{
	switch (*pattern) {
	case '\0':
		return !*text;
	case '*':
		return glob_recursive(pattern + 1, text) || (*text && glob_recursive(pattern, text + 1));
	case '?':
		return *text && glob_recursive(pattern + 1, text + 1);
	default:
		return *pattern == *text && glob_recursive(pattern + 1, text + 1);
	}
}

int edit_distance(const char *a, const char *b)
{
	int row[64], n = (int)strlen(b), i, j;

	if (n >= 64)
		return -1;
	for (j = 0; j <= n; j++)
		row[j] = j;
	for (i = 1; *a; i++, a++) {
		int diagonal = row[0];

		row[0] = i;
		for (j = 1; j <= n; j++) {
			int best = diagonal + (*a != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[n];
}

/* Removes "." and ".." from an absolute path, in place. */
bool normalise(char *path)
{
	char *in = path, *out = path;

	if (*in != '/')
		return false;
	while (*in) {
		while (*in == '/')
			in++;
		if (in[0] == '.' && (in[1] == '/' || in[1] == '\0')) {
			in++;
		} else if (in[0] == '.' && in[1] == '.' && (in[2] == '/' || in[2] == '\0')) {
			in += 2;
			while (out > path && *--out != '/')
				;
		} else if (*in) {
			*out++ = '/';
			while (*in && *in != '/')
				*out++ = *in++;
		}
	}
	if (out == path)
		*out++ = '/';
	*out = '\0';
	return true;
}

unsigned ackermann(unsigned m, unsigned n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

static bool is_odd(unsigned n);

static bool is_even(unsigned n)
{
	return n == 0 || is_odd(n - 1);
}

static bool is_odd(unsigned n)
{
	return n != 0 && is_even(n - 1);
}

bool parity(unsigned n)
{
	return is_even(n);
}
