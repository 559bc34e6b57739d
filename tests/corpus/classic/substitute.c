/* K&R style: a filter that replaces what a pattern matches: . any, ^ $ ends, [a-z] and [!a-z] classes, * repetition. */
#include <stdio.h>

#define MAXLINE 256
#define MAXPAT 128
#define END '\0'
#define BEGIN 1
#define FINAL 2
#define ANY 3
#define LITERAL 4
#define CLASS 5
#define NOTCLASS 6
#define STAR 7
#define ESCAPE '%'
#define SAME '='
#define SAMECODE 1

typedef char string[MAXLINE];

extern void exit();
static int errors = 0;

char escaped(pp)
char **pp;
{
	register char *p = *pp;

	if (*p != ESCAPE || p[1] == END)
		return *p;
	*pp = ++p;
	if (*p == 'n')
		return '\n';
	if (*p == 't')
		return '\t';
	return *p;
}

int add(code, n, c)
char *code;
int *n;
int c;
{
	if (*n >= MAXPAT - 1)
		return 0;
	code[(*n)++] = c;
	return 1;
}

int compile_class(pp, code, n)
char **pp;
char *code;
int *n;
{
	char *p = *pp + 1;
	int where, count = 0, from, to;

	if (*p == '!') {
		add(code, n, NOTCLASS);
		p++;
	} else
		add(code, n, CLASS);
	where = *n;
	if (!add(code, n, 0))
		return 0;
	while (*p != ']') {
		if (*p == END)
			return 0;
		from = escaped(&p);
		to = from;
		if (p[1] == '-' && p[2] != ']' && p[2] != END) {
			p += 2;
			to = escaped(&p);
		}
		p++;
		for (; from <= to; from++) {
			if (!add(code, n, from))
				return 0;
			count++;
		}
	}
	if (count > 100)
		return 0;
	code[where] = count;
	*pp = p;
	return 1;
}

int compile(pattern, code)
char *pattern, *code;
{
	char *p;
	int n = 0, last = -1, start, i;

	for (p = pattern; *p != END; p++) {
		start = n;
		if (*p == '^' && p == pattern)
			add(code, &n, BEGIN);
		else if (*p == '$' && p[1] == END)
			add(code, &n, FINAL);
		else if (*p == '.')
			add(code, &n, ANY);
		else if (*p == '[') {
			if (!compile_class(&p, code, &n))
				return 0;
		} else if (*p == '*' && last >= 0 && code[last] != BEGIN && code[last] != STAR) {
			if (n >= MAXPAT - 1)
				return 0;
			for (i = n; i > last; i--)
				code[i] = code[i - 1];
			code[last] = STAR;
			n++;
			last = -1;
			continue;
		} else {
			add(code, &n, LITERAL);
			if (!add(code, &n, escaped(&p)))
				return 0;
		}
		last = start;
	}
	code[n] = END;
	return n < MAXPAT - 1;
}

int size_of(code)
char *code;
{
	switch (*code) {
	case LITERAL:
		return 2;
	case CLASS:
	case NOTCLASS:
		return code[1] + 2;
	case STAR:
		return 1 + size_of(code + 1);
	default:
		return 1;
	}
}

int in_class(c, code)
int c;
register char *code;
{
	register int i;

	for (i = code[1]; i > 0; i--)
		if (code[i + 1] == c)
			return 1;
	return 0;
}

int one(line, at, code)
char *line, *code;
int *at;
{
	int advance = -1;
	int c = line[*at];

	switch (*code) {
	case BEGIN:
		if (*at == 0)
			advance = 0;
		break;
	case FINAL:
		if (c == '\n' || c == END)
			advance = 0;
		break;
	case ANY:
		if (c != END && c != '\n')
			advance = 1;
		break;
	case LITERAL:
		if (c == code[1] && c != END)
			advance = 1;
		break;
	case CLASS:
		if (c != END && in_class(c, code))
			advance = 1;
		break;
	case NOTCLASS:
		if (c != END && c != '\n' && !in_class(c, code))
			advance = 1;
		break;
	default:
		fprintf(stderr, "broken pattern %d\n", *code);
		errors++;
	}
	if (advance < 0)
		return 0;
	*at += advance;
	return 1;
}

int match(line, at, code)
char *line, *code;
int at;
{
	int end, tail;

	while (*code != END) {
		if (*code == STAR) {
			end = at;
			while (one(line, &end, code + 1))
				;
			while (end >= at) {
				tail = match(line, end, code + size_of(code));
				if (tail >= 0)
					return tail;
				end--;
			}
			return -1;
		}
		if (!one(line, &at, code))
			return -1;
		code += size_of(code);
	}
	return at;
}

compile_replacement(text, sub)
char *text, *sub;
{
	register int n = 0;

	for (; *text != END && n < MAXPAT - 1; text++)
		if (*text == SAME)
			sub[n++] = SAMECODE;
		else
			sub[n++] = escaped(&text);
	sub[n] = END;
	return *text == END;
}

put_replacement(line, from, to, sub)
char *line, *sub;
int from, to;
{
	int i;

	for (; *sub != END; sub++)
		if (*sub == SAMECODE)
			for (i = from; i < to; i++)
				putchar(line[i]);
		else
			putchar(*sub);
}

change_line(line, code, sub, all)
string line;
char *code, *sub;
int all;
{
	int i, end, done = 0;

	for (i = 0; line[i] != END; i++) {
		end = done && !all ? -1 : match(line, i, code);
		if (end < 0) {
			putchar(line[i]);
			continue;
		}
		done++;
		put_replacement(line, i, end, sub);
		if (end > i)
			i = end - 1;
		else
			putchar(line[i]);
	}
	return done;
}

main(argc, argv)
int argc;
char *argv[];
{
	char code[MAXPAT], sub[MAXPAT];
	string line;
	int changed = 0;

	if (argc < 2) {
		fprintf(stdout, "usage: substitute from [to [all]]\n");
		exit(1);
	}
	if (!compile(argv[1], code)) {
		fprintf(stdout, "the pattern is wrong\n");
		exit(2);
	}
	if (!compile_replacement(argc > 2 ? argv[2] : "", sub)) {
		fprintf(stdout, "the replacement is too long\n");
		exit(3);
	}
	while (fgets(line, MAXLINE, stdin))
		changed += change_line(line, code, sub, argc > 3);
	exit(errors ? 4 : changed == 0);
}
