/* Driver task: a server's side of a handshake, as one loop over a numbered state with an error label. */
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void reach_error(void) {}

struct session {
	int state;
	int hit;
	int version;
	int shutdown;
	unsigned long cipher;
	int (*callback)(int where, int ret);
};

int handshake_accept(struct session *s, int initial_state)
{
	int ret = -1, new_state, state, skip = 0, got_new = 0;
	int progress = 0;
	unsigned long options = __VERIFIER_nondet_ulong();
	int request = __VERIFIER_nondet_int();

	s->state = initial_state;
	while (1) {
		state = s->state;
		if (s->state == 101)
			goto switch_begin;
		else if (s->state == 100)
			goto switch_begin;
		else if (s->state == 110)
			goto switch_hello;
		else if (s->state == 120)
			goto switch_send_hello;
		else if (s->state == 130)
			goto switch_cert;
		else if (s->state == 140)
			goto switch_key;
		else if (s->state == 150)
			goto switch_done;
		else if (s->state == 160)
			goto switch_flush;
		else if (s->state == 170)
			goto switch_finished;
		else if (s->state == 3)
			goto switch_ok;
		else
			goto switch_default;

switch_begin:
		s->version = __VERIFIER_nondet_int();
		if (s->version / 256 != 3) {
			ret = -1;
			goto end;
		}
		s->state = 110;
		goto next;
switch_hello:
		ret = __VERIFIER_nondet_int();
		if (progress == 0)
			progress = 1;
		if (ret <= 0)
			goto end;
		got_new = 1;
		s->state = 120;
		goto next;
switch_send_hello:
		ret = __VERIFIER_nondet_int();
		if (progress == 1)
			progress = 2;
		if (ret <= 0)
			goto end;
		if (s->hit)
			s->state = 170;
		else
			s->state = 130;
		goto next;
switch_cert:
		if (s->cipher & 256UL)
			skip = 1;
		else {
			ret = __VERIFIER_nondet_int();
			if (ret <= 0)
				goto end;
		}
		s->state = 140;
		goto next;
switch_key:
		if ((options & 32UL) || ((s->cipher & 30UL) && request != 0)) {
			ret = __VERIFIER_nondet_int();
			if (progress == 2)
				progress = 3;
			if (ret <= 0)
				goto end;
		} else
			skip = 1;
		s->state = 150;
		goto next;
switch_done:
		ret = __VERIFIER_nondet_int();
		if (ret <= 0)
			goto end;
		new_state = 170;
		s->state = 160;
		goto next;
switch_flush:
		if (progress > 4)
			goto ERROR;
		if (got_new && __VERIFIER_nondet_int() <= 0) {
			ret = -1;
			goto end;
		}
		s->state = new_state;
		goto next;
switch_finished:
		ret = __VERIFIER_nondet_int();
		if (progress == 3)
			progress = 4;
		if (ret <= 0)
			goto end;
		s->state = s->hit ? 3 : 170;
		s->hit = 1;
		goto next;
switch_ok:
		if (progress == 4 && !got_new)
			goto ERROR;
		ret = 1;
		goto end;
switch_default:
		ret = -1;
		goto end;
next:
		if (!skip && s->callback != 0 && s->state != state) {
			new_state = s->state;
			s->state = state;
			s->callback(1, 1);
			s->state = new_state;
		}
		skip = 0;
	}
end:
	if (s->callback != 0)
		s->callback(2, ret);
	return ret;
ERROR:
	reach_error();
	return -1;
}

static int count_calls(int where, int ret)
{
	static int calls;

	if (where == 2 && ret < 0)
		calls = 0;
	return ++calls;
}

int main(void)
{
	struct session s;

	s.hit = __VERIFIER_nondet_int();
	s.cipher = __VERIFIER_nondet_ulong();
	s.shutdown = 0;
	s.callback = __VERIFIER_nondet_int() ? count_calls : 0;
	return handshake_accept(&s, 100);
}
