/* Driver task: a read loop that must acquire and release its lock in turns, in the shape that SLAM made known.
   reach_error() cannot be reached. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { }

#define LOCKED 1
#define UNLOCKED 0

int lock_state = UNLOCKED;
unsigned packets_read;

void acquire(void)
{
	if (lock_state == LOCKED)
		goto ERROR;
	lock_state = LOCKED;
	return;
ERROR:
	reach_error();
	abort();
}

void release(void)
{
	if (lock_state != LOCKED)
		goto ERROR;
	lock_state = UNLOCKED;
	return;
ERROR:
	reach_error();
	abort();
}

int transfer_all(void)
{
	int request, status = 0;
	unsigned before;

	do {
		acquire();
		before = packets_read;
		request = __VERIFIER_nondet_int();
		if (request > 0) {
			release();
			status = __VERIFIER_nondet_int();
			if (status == 0)
				packets_read++;
			else
				packets_read += 2;
		}
	} while (before != packets_read);
	release();
	return status;
}

int main(void)
{
	transfer_all();
	return 0;
}
