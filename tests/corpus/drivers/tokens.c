/* Driver task: nested resources, each taken under a condition and given back under the same one. Safe. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { }

void __VERIFIER_assert(int cond)
{
	if (!(cond)) {
	ERROR:
		{ reach_error(); abort(); }
	}
}

int resources(void)
{
	int p1 = __VERIFIER_nondet_int(), l1;
	int p2 = __VERIFIER_nondet_int(), l2;
	int p3 = __VERIFIER_nondet_int(), l3;
	int cond;

	while (1) {
		cond = __VERIFIER_nondet_int();
		if (cond == 0)
			goto out;
		l1 = 0;
		l2 = 0;
		l3 = 0;
		if (p1 != 0)
			l1 = 1;
		if (p2 != 0)
			l2 = 1;
		if (p3 != 0)
			l3 = 1;
		if (p1 != 0) {
			if (l1 != 1)
				goto ERROR;
			l1 = 0;
		}
		if (p2 != 0) {
			if (l2 != 1)
				goto ERROR;
			l2 = 0;
		}
		if (p3 != 0) {
			if (l3 != 1)
				goto ERROR;
			l3 = 0;
		}
	}
out:
	return 0;
ERROR:
	reach_error();
	return 1;
}

int bounded_counter(unsigned n)
{
	unsigned i = 0, j = 0, flag = __VERIFIER_nondet_int();

	__VERIFIER_assume(n < 1000);
	while (i < n) {
		i++;
		if (flag)
			j += 2;
		else
			j++;
	}
	__VERIFIER_assert(flag ? j == 2 * i : j == i);
	__VERIFIER_assert(i == n);
	return j;
}

int sum_array(int *a, int n)
{
	int i, sum = 0, largest = 0;

	__VERIFIER_assume(n > 0 && n < 100);
	for (i = 0; i < n; i++) {
		__VERIFIER_assume(a[i] >= 0 && a[i] <= 1000);
		sum += a[i];
		if (a[i] > largest)
			largest = a[i];
	}
	__VERIFIER_assert(sum <= n * largest);
	return sum;
}

int main(void)
{
	int a[4] = { 1, 2, 3, 4 };

	resources();
	bounded_counter(10);
	return sum_array(a, 4);
}
