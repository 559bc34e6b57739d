/* K&R style: word frequencies with a hash table of chains, recursion for sorting, gets, and gotos. */
#include <stdio.h>

#define HASHSIZE 101
#define LONGEST 64

extern char *malloc(), *gets(), *strcpy();
extern int strlen(), strcmp();

typedef struct entry {
	char *word;
	unsigned uses;
	struct entry *chain;
} ENTRY;

static ENTRY *table[HASHSIZE];
static ENTRY **sorted;
static int total, different;

unsigned hash(s)
register char *s;
{
	register unsigned h;

	for (h = 5; *s != '\0'; s++)
		h = h * 31 + *s;
	return h % HASHSIZE;
}

ENTRY *lookup(s)
char *s;
{
	ENTRY *e;

	for (e = table[hash(s)]; e != NULL; e = e->chain)
		if (strcmp(s, e->word) == 0)
			return e;
	return NULL;
}

char *save(s)
char *s;
{
	char *p;

	if ((p = malloc((unsigned) strlen(s) + 1)) != NULL)
		strcpy(p, s);
	return p;
}

install(s)
char *s;
{
	ENTRY *e;
	unsigned h;

	if ((e = lookup(s)) != NULL) {
		e->uses++;
		goto counted;
	}
	e = (ENTRY *) malloc(sizeof(*e));
	if (e == NULL || (e->word = save(s)) == NULL)
		return -1;
	h = hash(s);
	e->uses = 1;
	e->chain = table[h];
	table[h] = e;
	different++;
counted:
	total++;
	return 0;
}

split(line)
char *line;
{
	char word[LONGEST];
	int n;

again:
	while (*line && !(*line >= 'a' && *line <= 'z') && !(*line >= 'A' && *line <= 'Z'))
		line++;
	if (!*line)
		return;
	n = 0;
	while ((*line >= 'a' && *line <= 'z') || (*line >= 'A' && *line <= 'Z')) {
		if (n < LONGEST - 1)
			word[n++] = *line < 'a' ? *line - 'A' + 'a' : *line;
		line++;
	}
	word[n] = 0;
	install(word);
	goto again;
}

sort(v, left, right)
ENTRY **v;
int left, right;
{
	int i, last;
	ENTRY *t;

	if (left >= right)
		return;
	last = left;
	for (i = left + 1; i <= right; i++)
		if (v[i]->uses > v[left]->uses || (v[i]->uses == v[left]->uses && strcmp(v[i]->word, v[left]->word) < 0)) {
			last++;
			t = v[last];
			v[last] = v[i];
			v[i] = t;
		}
	t = v[left];
	v[left] = v[last];
	v[last] = t;
	sort(v, left, last - 1);
	sort(v, last + 1, right);
}

main()
{
	char line[1024];
	int i, n = 0;
	ENTRY *e;

	while (gets(line) != NULL)
		split(line);
	sorted = (ENTRY **) malloc(different * sizeof(ENTRY *) + 1);
	if (!sorted)
		return 1;
	for (i = 0; i < HASHSIZE; i++)
		for (e = table[i]; e; e = e->chain)
			sorted[n++] = e;
	sort(sorted, 0, n - 1);
	for (i = 0; i < n; i++)
		printf("%6u %s\n", sorted[i]->uses, sorted[i]->word);
	return 0;
}
