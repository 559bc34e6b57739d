/* K&R style: statistics of tables of counts: means, deviations, and a measure of independence of rows and columns. */
#include <stdio.h>
#include <math.h>

#define MAXCELLS 400
#define MAXTEXT 128
#define cell(i, j) counts[(i) * cols + (j)]

#define FINE 0
#define ZEROS 1
#define NEGATIVE 2
#define SMALL 3

static long counts[MAXCELLS];
static char text[MAXTEXT];
static int rows, cols, failed, tables, problem;

extern char *gets();
double logarithm(), deviation();

is_blank(s)
char *s;
{
	register char *p;

	for (p = s; *p == ' ' || *p == '\t' || *p == '\n'; ++p)
		;
	return *p == '\0';
}

read_table()
{
	register int i, j;

	for (i = 0; i < rows; ++i)
		for (j = 0; j < cols; ++j)
			if (scanf(" %ld", &cell(i, j)) != 1) {
				(void) fputs("too few numbers\n", stdout);
				return 0;
			}
	return 1;
}

double logarithm(x)
double x;
{
	double y, power, sum;
	int k, doublings = 0;

	if (x <= 0.0)
		return 0.0;
	while (x > 1.5) {
		x /= 2.0;
		doublings++;
	}
	while (x < 0.75) {
		x *= 2.0;
		doublings--;
	}
	y = (x - 1.0) / (x + 1.0);
	power = y;
	sum = 0.0;
	for (k = 1; k < 40; k += 2) {
		sum += power / k;
		power *= y * y;
	}
	return 2.0 * sum + doublings * 0.69314718055994531;
}

double entropy(v, n, step, sum)
long *v;
int n, step;
double *sum;
{
	double e = 0.0;
	int k;

	*sum = 0.0;
	for (k = 0; k < n; k++, v += step) {
		if (*v < 0) {
			problem = NEGATIVE;
			return 0.0;
		}
		*sum += *v;
		if (*v > 0)
			e += *v * logarithm((double) *v);
	}
	return e;
}

double information(freedom)
int *freedom;
{
	double info, total, part;
	int k, empty_rows = 0, empty_cols = 0;

	problem = FINE;
	info = entropy(counts, rows * cols, 1, &total);
	if (rows < 2 || cols < 2)
		problem = SMALL;
	else if (problem == FINE && total == 0.0)
		problem = ZEROS;
	if (problem != FINE)
		return 0.0;
	for (k = 0; k < rows; k++) {
		(void) entropy(&cell(k, 0), cols, 1, &part);
		if (part == 0.0)
			empty_rows++;
		else
			info -= part * logarithm(part);
	}
	for (k = 0; k < cols; k++) {
		(void) entropy(&cell(0, k), rows, cols, &part);
		if (part == 0.0)
			empty_cols++;
		else
			info -= part * logarithm(part);
	}
	*freedom = (rows - empty_rows - 1) * (cols - empty_cols - 1);
	return 2.0 * (info + total * logarithm(total));
}

double mean()
{
	register int k;
	double s = 0.0;

	for (k = 0; k < rows * cols; k++)
		s += counts[k];
	return rows * cols > 0 ? s / (rows * cols) : 0.0;
}

double deviation(m)
double m;
{
	register long *p = counts;
	double s = 0.0, d;
	int n = rows * cols;

	if (n < 2)
		return 0.0;
	while (p < counts + n) {
		d = *p++ - m;
		s += d * d;
	}
	return s / (n - 1);
}

report(info, freedom)
double info;
int freedom;
{
	switch (problem) {
	case FINE:
		printf("information = %5.2f\tfreedom = %2d\n", info, freedom);
		return;
	case ZEROS:
		puts("the table holds nothing");
		break;
	case NEGATIVE:
		puts("the table holds a negative count");
		break;
	case SMALL:
		puts("the table has one row or column");
	}
	failed++;
}

main()
{
	double info;
	int freedom, c;

	while (fgets(text, MAXTEXT, stdin) != NULL) {
		if (is_blank(text) || text[0] == '#')
			continue;
		if (sscanf(text, "%d %d", &rows, &cols) != 2 || rows < 1 || cols < 1)
			break;
		if (rows > MAXCELLS / cols) {
			fputs("the table is too large\n", stdout);
			return 1;
		}
		if (!read_table())
			return 1;
		while ((c = getchar()) != '\n' && c != EOF)
			;
		info = information(&freedom);
		report(info, freedom);
		printf("mean %g variance %g\n", mean(), deviation(mean()));
		tables++;
	}
	printf("%d tables, %d failed\n", tables, failed);
	return failed != 0;
}
