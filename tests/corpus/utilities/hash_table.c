/* Utility style: a hash table with open addressing, tombstones and growth; values are void pointers. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>

struct slot {
	char *key;
	void *value;
	uint32_t hash;
};

struct table {
	struct slot *slots;
	size_t size, used, dead;
};

static char tombstone[1];
#define IS_FREE(s) ((s)->key == NULL)
#define IS_DEAD(s) ((s)->key == tombstone)
#define IS_LIVE(s) (!IS_FREE(s) && !IS_DEAD(s))

static uint32_t hash_string(const char *s)
{
	uint32_t h = 2166136261u;

	while (*s) {
		h ^= (unsigned char)*s++;
		h *= 16777619u;
	}
	return h;
}

static char *copy_string(const char *s)
{
	size_t n = strlen(s) + 1;
	char *p = malloc(n);

	return p ? memcpy(p, s, n) : NULL;
}

int table_init(struct table *t, size_t size)
{
	size_t n = 8;

	while (n < size)
		n <<= 1;
	t->slots = calloc(n, sizeof *t->slots);
	t->size = t->slots ? n : 0;
	t->used = t->dead = 0;
	return t->slots ? 0 : -1;
}

void table_free(struct table *t, void (*destroy)(void *))
{
	size_t i;

	for (i = 0; i < t->size; i++) {
		struct slot *s = &t->slots[i];

		if (!IS_LIVE(s))
			continue;
		if (destroy)
			destroy(s->value);
		free(s->key);
	}
	free(t->slots);
	memset(t, 0, sizeof *t);
}

static struct slot *probe(struct table *t, const char *key, uint32_t hash)
{
	size_t mask = t->size - 1, i = hash & mask, step = 1;
	struct slot *first_dead = NULL;

	for (;;) {
		struct slot *s = &t->slots[i];

		if (IS_FREE(s))
			return first_dead ? first_dead : s;
		if (IS_DEAD(s)) {
			if (!first_dead)
				first_dead = s;
		} else if (s->hash == hash && strcmp(s->key, key) == 0)
			return s;
		i = (i + step++) & mask;
	}
}

static int grow(struct table *t)
{
	struct table bigger;
	size_t i;

	if (table_init(&bigger, t->used * 4) != 0)
		return -1;
	for (i = 0; i < t->size; i++)
		if (IS_LIVE(&t->slots[i])) {
			*probe(&bigger, t->slots[i].key, t->slots[i].hash) = t->slots[i];
			bigger.used++;
		}
	assert(bigger.used == t->used);
	free(t->slots);
	*t = bigger;
	return 0;
}

void *table_get(struct table *t, const char *key)
{
	struct slot *s;

	if (t->size == 0)
		return NULL;
	s = probe(t, key, hash_string(key));
	return IS_LIVE(s) ? s->value : NULL;
}

int table_put(struct table *t, const char *key, void *value, void **old)
{
	uint32_t hash = hash_string(key);
	struct slot *s;

	if ((t->used + t->dead + 1) * 4 > t->size * 3 && grow(t) != 0)
		return -1;
	s = probe(t, key, hash);
	if (old)
		*old = IS_LIVE(s) ? s->value : NULL;
	if (!IS_LIVE(s)) {
		char *copy = copy_string(key);

		if (!copy)
			return -1;
		if (IS_DEAD(s))
			t->dead--;
		s->key = copy;
		s->hash = hash;
		t->used++;
	}
	s->value = value;
	return 0;
}

void *table_remove(struct table *t, const char *key)
{
	struct slot *s;
	void *value;

	if (t->size == 0)
		return NULL;
	s = probe(t, key, hash_string(key));
	if (!IS_LIVE(s))
		return NULL;
	value = s->value;
	free(s->key);
	s->key = tombstone;
	s->value = NULL;
	t->used--;
	t->dead++;
	return value;
}
