/*
 * A singly linked list that is sorted by time: the timers of a small operating system.
 *
 * What is true of timer_insert():
 *   - A list that is sorted by time stays so; a new timer comes after those with the same time.
 *   - A null timer, or one that is already in the list, is refused, and nothing changes.
 *   - Inserting at the front, in the middle and at the end is one case, because `link` points to a pointer.
 * What is true of the others:
 *   - timer_remove() returns whether the timer was found; the removed timer has no successor.
 *   - timer_reverse() turns the order round, and applied twice it changes nothing.
 *   - On a list with a cycle timer_insert() need not end.
 *
 *   pct analyze examples/structures/linked_list.c -f timer_insert
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timer {
	uint32_t time;
	void (*expire)(int);
	int argument;
	struct timer *next;
};

bool timer_insert(struct timer **list, struct timer *t)
{
	struct timer **link = list;
	struct timer *p;

	if (t == NULL)
		return false;
	for (p = *list; p != NULL; p = p->next)
		if (p == t)
			return false;

	while (*link != NULL && (*link)->time <= t->time)
		link = &(*link)->next;
	t->next = *link;
	*link = t;
	return true;
}

bool timer_remove(struct timer **list, struct timer *t)
{
	struct timer *previous = NULL;
	struct timer *p = *list;

	while (p != NULL && p != t) {
		previous = p;
		p = p->next;
	}
	if (p == NULL)
		return false;
	if (previous == NULL)
		*list = p->next;
	else
		previous->next = p->next;
	p->next = NULL;
	return true;
}

struct timer *timer_reverse(struct timer *list)
{
	struct timer *done = NULL;

	while (list != NULL) {
		struct timer *rest = list->next;

		list->next = done;
		done = list;
		list = rest;
	}
	return done;
}

/* Calls what is due, in order; returns how many. */
int timer_run(struct timer **list, uint32_t now)
{
	int count = 0;

	while (*list != NULL && (*list)->time <= now) {
		struct timer *due = *list;

		*list = due->next;
		due->next = NULL;
		if (due->expire != NULL)
			due->expire(due->argument);
		count++;
	}
	return count;
}
