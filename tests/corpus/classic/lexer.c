/* K&R style: a lexical scanner for a small Lisp, reading from a stream or from a string. */
#include <stdio.h>
#include <ctype.h>
#include <string.h>

#define TRUE 1
#define FALSE 0
#define LINESIZE 200
#define WORDSIZE 80
#define EOFCH (-1)

#define T_END 0
#define T_WORD 1
#define T_NUMBER 2
#define T_STRING 3
#define T_SPECIAL 4
#define T_COMMENT 5
#define T_WRONG 6

extern char *malloc();
extern void exit();

typedef struct source {
	FILE *file;
	char line[LINESIZE];
	int at;
	int lineno;
	int pushed;
} *SOURCE;

static char *keywords[] = { "lambda", "define", "if", "cond", "let", "quote", 0 };
static char specials[] = "()[]'`,";
static int counts[7];

SOURCE open_source(name)
char *name;
{
	register SOURCE s;

	s = (SOURCE) malloc(sizeof(struct source));
	if (s == NULL) {
		fprintf(stderr, "no memory\n");
		exit(1);
	}
	if (name == NULL || *name == '\0')
		s->file = stdin;
	else if ((s->file = fopen(name, "r")) == NULL) {
		fprintf(stderr, "cannot open %s\n", name);
		exit(2);
	}
	s->line[0] = '\0';
	s->at = s->lineno = 0;
	s->pushed = FALSE;
	return s;
}

get_ch(s)
SOURCE s;
{
	if (s->pushed) {
		s->pushed = FALSE;
		return s->line[s->at - 1];
	}
	if (s->line[s->at] == '\0') {
		if (fgets(s->line, LINESIZE, s->file) == NULL)
			return EOFCH;
		s->at = 0;
		s->lineno++;
	}
	return s->line[s->at++];
}

unget_ch(s)
SOURCE s;
{
	if (s->at > 0)
		s->pushed = TRUE;
}

int is_special(c)
register int c;
{
	register char *p;

	for (p = specials; *p; p++)
		if (*p == c)
			return TRUE;
	return FALSE;
}

int ends_word(c)
int c;
{
	if (c == EOFCH || c == ';' || c == '"')
		return TRUE;
	return isspace(c) || is_special(c);
}

int is_keyword(w)
char *w;
{
	char **k = keywords;

	while (*k)
		if (strcmp(*k++, w) == 0)
			return TRUE;
	return FALSE;
}

int is_number(w)
char *w;
{
	if ((*w == '-' || *w == '+') && w[1])
		w++;
	do {
		if (!isdigit(*w))
			return FALSE;
	} while (*++w);
	return TRUE;
}

int next_word(s, w)
SOURCE s;
char *w;
{
	int c, n = 0;

	while ((c = get_ch(s)) != EOFCH && isspace(c))
		;
	switch (c) {
	case EOFCH:
		return T_END;
	case ';':
		while ((c = get_ch(s)) != '\n' && c != EOFCH)
			if (n < WORDSIZE - 1)
				w[n++] = c;
		w[n] = '\0';
		return T_COMMENT;
	case '"':
		while ((c = get_ch(s)) != '"') {
			if (c == EOFCH || c == '\n')
				goto bad;
			if (n < WORDSIZE - 1)
				w[n++] = c;
		}
		w[n] = '\0';
		return T_STRING;
	}
	if (is_special(c)) {
		w[0] = c;
		w[1] = '\0';
		return T_SPECIAL;
	}
	do {
		if (n >= WORDSIZE - 1)
			goto bad;
		w[n++] = c;
		c = get_ch(s);
	} while (!ends_word(c));
	if (c != EOFCH)
		unget_ch(s);
	w[n] = '\0';
	return is_number(w) ? T_NUMBER : T_WORD;
bad:
	w[n] = '\0';
	return T_WRONG;
}

show(kind, w)
int kind;
char *w;
{
	counts[kind]++;
	switch (kind) {
	case T_WORD:
		if (is_keyword(w))
			printf("keyword \"%s\".\n", w);
		else
			printf("name \"%s\".\n", w);
		break;
	case T_NUMBER:
		printf("number %s.\n", w);
		break;
	case T_STRING:
		printf("string \"%s\".\n", w);
		break;
	case T_SPECIAL:
		printf("special %c.\n", *w);
		break;
	case T_COMMENT:
		break;
	default:
		printf("wrong \"%s\".\n", w);
	}
}

main(argc, argv)
int argc;
char *argv[];
{
	SOURCE s;
	char word[WORDSIZE];
	int kind;

	if (argc > 2) {
		fprintf(stderr, "usage: lexer [file]\n");
		exit(1);
	}
	s = open_source(argc == 2 ? argv[1] : "");
	while ((kind = next_word(s, word)) != T_END)
		show(kind, word);
	printf("%d wrong\n", counts[T_WRONG]);
	exit(counts[T_WRONG] != 0);
}
