/* Utility style: a parser of command line options with short, long and joined forms, and a table of handlers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>
#include <errno.h>
#include <limits.h>

enum opt_kind { OPT_FLAG, OPT_NUMBER, OPT_TEXT };

struct option {
	char letter;
	const char *name;
	enum opt_kind kind;
	void *target;
};

struct settings {
	bool verbose;
	bool force;
	long level;
	const char *output;
};

static const char *program = "tool";

static int complain(const char *what, const char *arg)
{
	fprintf(stderr, "%s: %s: %s\n", program, what, arg);
	return -1;
}

static int parse_long(const char *s, long low, long high, long *value)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(s, &end, 0);
	if (end == s || *end != '\0' || errno == ERANGE || v < low || v > high)
		return -1;
	*value = v;
	return 0;
}

static const struct option *find_letter(const struct option *opts, char c)
{
	for (; opts->letter; opts++)
		if (opts->letter == c)
			return opts;
	return NULL;
}

static const struct option *find_name(const struct option *opts, const char *name, size_t n)
{
	const struct option *match = NULL;

	for (; opts->letter; opts++) {
		if (strncmp(opts->name, name, n) != 0)
			continue;
		if (opts->name[n] == '\0')
			return opts;
		if (match)
			return NULL;
		match = opts;
	}
	return match;
}

static int apply(const struct option *o, const char *arg)
{
	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)o->target = true;
		return 0;
	case OPT_NUMBER:
		if (parse_long(arg, 0, INT_MAX, o->target))
			return complain("not a number", arg);
		return 0;
	case OPT_TEXT:
		*(const char **)o->target = arg;
		return 0;
	}
	return -1;
}

static int parse_long_option(const struct option *opts, char **argv, int *i, int argc)
{
	const char *name = argv[*i] + 2;
	const char *eq = strchr(name, '=');
	size_t n = eq ? (size_t)(eq - name) : strlen(name);
	const struct option *o = find_name(opts, name, n);

	if (!o)
		return complain("unknown or ambiguous option", argv[*i]);
	if (o->kind == OPT_FLAG)
		return eq ? complain("takes no value", argv[*i]) : apply(o, NULL);
	if (eq)
		return apply(o, eq + 1);
	if (*i + 1 >= argc)
		return complain("needs a value", argv[*i]);
	return apply(o, argv[++*i]);
}

static int parse_letters(const struct option *opts, char **argv, int *i, int argc)
{
	const char *p;

	for (p = argv[*i] + 1; *p; p++) {
		const struct option *o = find_letter(opts, *p);

		if (!o)
			return complain("unknown option", argv[*i]);
		if (o->kind == OPT_FLAG) {
			apply(o, NULL);
			continue;
		}
		if (p[1])
			return apply(o, p + 1);
		if (*i + 1 >= argc)
			return complain("needs a value", argv[*i]);
		return apply(o, argv[++*i]);
	}
	return 0;
}

int parse_options(int argc, char **argv, const struct option *opts)
{
	int i, rest = 1;

	for (i = 1; i < argc; i++) {
		if (argv[i][0] != '-' || argv[i][1] == '\0') {
			argv[rest++] = argv[i];
			continue;
		}
		if (strcmp(argv[i], "--") == 0) {
			while (++i < argc)
				argv[rest++] = argv[i];
			break;
		}
		if ((argv[i][1] == '-' ? parse_long_option : parse_letters)(opts, argv, &i, argc))
			return -1;
	}
	return rest;
}

int main(int argc, char *argv[])
{
	struct settings s = { .level = 3, .output = "out" };
	const struct option opts[] = {
		{ 'v', "verbose", OPT_FLAG, &s.verbose },
		{ 'f', "force", OPT_FLAG, &s.force },
		{ 'l', "level", OPT_NUMBER, &s.level },
		{ 'o', "output", OPT_TEXT, &s.output },
		{ 0, NULL, OPT_FLAG, NULL },
	};
	int rest = parse_options(argc, argv, opts);

	if (rest < 0)
		return EXIT_FAILURE;
	printf("%d %d %ld %s %d\n", s.verbose, s.force, s.level, s.output, rest - 1);
	return EXIT_SUCCESS;
}
