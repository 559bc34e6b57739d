/* K&R style: jobs in linked queues of three priorities, driven by commands from the standard input. */
#include <stdio.h>

#define NQUEUES 3
#define NEWJOB 'n'
#define RAISE 'r'
#define WAITIO 'w'
#define WAKE 'k'
#define EXPIRE 'e'
#define FINISH 'f'
#define FLUSH 'q'

extern char *malloc();
extern void free();

struct job {
	int id;
	int prio;
	int age;
	struct job *next, *prev;
};

struct queue {
	struct job *first, *last;
	int length;
};

struct queue ready[NQUEUES + 1];
struct queue waiting;
struct job *running;
int next_id;

void append(q, j)
struct queue *q;
struct job *j;
{
	j->next = 0;
	j->prev = q->last;
	if (q->last)
		q->last->next = j;
	else
		q->first = j;
	q->last = j;
	q->length++;
}

struct job *nth(q, n)
struct queue *q;
int n;
{
	struct job *j = q->first;
	int i;

	for (i = 1; j && i < n; i++)
		j = j->next;
	return j;
}

struct job *take(q, j)
struct queue *q;
struct job *j;
{
	if (!q || !j)
		return 0;
	if (j->prev)
		j->prev->next = j->next;
	else
		q->first = j->next;
	if (j->next)
		j->next->prev = j->prev;
	else
		q->last = j->prev;
	q->length--;
	j->next = j->prev = 0;
	return j;
}

struct job *make_job(prio)
int prio;
{
	struct job *j;

	j = (struct job *) malloc(sizeof(struct job));
	if (j == 0)
		return 0;
	j->id = ++next_id;
	j->prio = prio;
	j->age = 0;
	j->next = j->prev = 0;
	return j;
}

dispatch()
{
	int p;

	if (running)
		return 0;
	for (p = NQUEUES; p > 0; p--)
		if (ready[p].length > 0) {
			running = take(&ready[p], ready[p].first);
			return running->id;
		}
	return 0;
}

preempt()
{
	if (running == 0)
		return;
	if (ready[NQUEUES].length && running->prio < NQUEUES) {
		append(&ready[running->prio], running);
		running = 0;
	}
}

add_job(prio)
int prio;
{
	struct job *j;

	if (prio < 1 || prio > NQUEUES)
		return -1;
	if ((j = make_job(prio)) == 0)
		return -2;
	append(&ready[prio], j);
	preempt();
	return j->id;
}

raise_job(prio, ratio)
int prio;
double ratio;
{
	struct job *j;
	int n;

	if (prio < 1 || prio >= NQUEUES)
		return -1;
	if (ratio < 0.0 || ratio > 1.0)
		return -1;
	n = (int)(ready[prio].length * ratio + 1);
	j = take(&ready[prio], nth(&ready[prio], n));
	if (j) {
		j->prio++;
		append(&ready[j->prio], j);
	}
	return 0;
}

wait_io()
{
	if (running) {
		append(&waiting, running);
		running = 0;
	}
}

wake(ratio)
double ratio;
{
	struct job *j;

	if (waiting.length == 0)
		return;
	j = take(&waiting, nth(&waiting, (int)(ratio * waiting.length) + 1));
	if (j)
		append(&ready[j->prio], j);
}

expire()
{
	if (running) {
		running->age++;
		append(&ready[running->prio], running);
		running = 0;
	}
}

finish()
{
	if (running) {
		fprintf(stdout, "%d ", running->id);
		free((char *) running);
		running = 0;
	}
}

flush()
{
	do {
		finish();
	} while (dispatch());
	fprintf(stdout, "\n");
}

main(argc, argv)
int argc;
char **argv;
{
	int prio, i, n;
	float ratio;
	char command[8];

	if (argc < NQUEUES + 1) {
		fprintf(stderr, "usage: dispatcher low middle high\n");
		exit(1);
	}
	for (prio = NQUEUES; prio >= 1; prio--)
		for (n = atoi(argv[NQUEUES + 1 - prio]), i = 0; i < n; i++)
			add_job(prio);
	while (scanf("%7s", command) == 1) {
		switch (command[0]) {
		case NEWJOB:
			if (scanf("%d", &prio) == 1)
				add_job(prio);
			break;
		case RAISE:
			if (scanf("%d%f", &prio, &ratio) == 2)
				raise_job(prio, ratio);
			break;
		case WAITIO:
			wait_io();
			break;
		case WAKE:
			if (scanf("%f", &ratio) == 1)
				wake(ratio);
			break;
		case EXPIRE:
			expire();
			break;
		case FINISH:
			finish();
			break;
		case FLUSH:
			flush();
			break;
		default:
			fprintf(stderr, "command %s?\n", command);
		}
		dispatch();
	}
	flush();
	exit(0);
}
