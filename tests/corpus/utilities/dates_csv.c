/* Utility style: splitting a line of comma-separated values, parsing dates and times, durations. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FIELDS 16

struct moment {
	int year, month, day, hour, minute, second;
	int offset_minutes;
};

/* Splits in place; returns the number of fields or -1. Doubled quotes stand for one. */
int csv_split(char *line, char *fields[MAX_FIELDS])
{
	int n = 0;
	char *in = line, *out;

	for (;;) {
		if (n == MAX_FIELDS)
			return -1;
		if (*in == '"') {
			in++;
			fields[n++] = out = in;
			while (1) {
				if (*in == '\0')
					return -1;
				if (*in == '"') {
					if (in[1] != '"')
						break;
					in++;
				}
				*out++ = *in++;
			}
			in++;
			*out = '\0';
			if (*in == ',') {
				in++;
				continue;
			}
			if (*in == '\0' || *in == '\n' || *in == '\r')
				return n;
			return -1;
		}
		fields[n++] = in;
		while (*in && *in != ',' && *in != '\n' && *in != '\r')
			in++;
		if (*in != ',') {
			*in = '\0';
			return n;
		}
		*in++ = '\0';
	}
}

static int digits(const char **s, int count, int low, int high, int *value)
{
	int v = 0;

	while (count-- > 0) {
		if (!isdigit((unsigned char)**s))
			return 0;
		v = v * 10 + (**s - '0');
		(*s)++;
	}
	if (v < low || v > high)
		return 0;
	*value = v;
	return 1;
}

static int expect(const char **s, char c)
{
	return **s == c ? (*s)++, 1 : 0;
}

static int leap(int y)
{
	return !(y & 3) && ((y % 25) || !(y & 15));
}

static int month_length(int y, int m)
{
	return m == 2 ? 28 + leap(y) : 30 + ((m + (m > 7)) & 1);
}

int parse_moment(const char *s, struct moment *m)
{
	memset(m, 0, sizeof *m);
	if (!digits(&s, 4, 1, 9999, &m->year) || !expect(&s, '-') || !digits(&s, 2, 1, 12, &m->month) || !expect(&s, '-') ||
	    !digits(&s, 2, 1, 31, &m->day))
		return 0;
	if (m->day > month_length(m->year, m->month))
		return 0;
	if (*s == '\0')
		return 1;
	if (!expect(&s, 'T') && !expect(&s, ' '))
		return 0;
	if (!digits(&s, 2, 0, 23, &m->hour) || !expect(&s, ':') || !digits(&s, 2, 0, 59, &m->minute))
		return 0;
	if (expect(&s, ':') && !digits(&s, 2, 0, 60, &m->second))
		return 0;
	if (*s == '+' || *s == '-') {
		int sign = *s++ == '-' ? -1 : 1, h, min = 0;

		if (!digits(&s, 2, 0, 14, &h))
			return 0;
		if (expect(&s, ':') && !digits(&s, 2, 0, 59, &min))
			return 0;
		m->offset_minutes = sign * (h * 60 + min);
	} else
		expect(&s, 'Z');
	return *s == '\0';
}

int64_t days_from_civil(int y, int m, int d)
{
	int64_t days = 0;
	int past = y - 1, i;

	days = (int64_t)past * 365 + past / 4 - past / 100 + past / 400;
	for (i = 1; i < m; i++)
		days += month_length(y, i);
	return days + d - 719163;
}

int64_t to_seconds(const struct moment *m)
{
	int64_t t = days_from_civil(m->year, m->month, m->day) * 86400;

	t += m->hour * 3600 + m->minute * 60 + m->second;
	return t - (int64_t)m->offset_minutes * 60;
}

void from_seconds(int64_t t, struct moment *m)
{
	int64_t days = t / 86400, rest = t % 86400;

	if (rest < 0) {
		rest += 86400;
		days--;
	}
	m->hour = (int)(rest / 3600);
	m->minute = (int)(rest / 60 % 60);
	m->second = (int)(rest % 60);
	m->offset_minutes = 0;
	m->year = 1970 + (int)(days / 366);
	while (days_from_civil(m->year + 1, 1, 1) <= days)
		m->year++;
	while (days_from_civil(m->year, 1, 1) > days)
		m->year--;
	days -= days_from_civil(m->year, 1, 1);
	for (m->month = 1; days >= month_length(m->year, m->month); m->month++)
		days -= month_length(m->year, m->month);
	m->day = (int)days + 1;
}

/* "1h30m", "90s", "2d" to seconds; -1 if it is none. */
long parse_duration(const char *s)
{
	long total = 0, part;
	char *end;

	if (!*s)
		return -1;
	while (*s) {
		if (!isdigit((unsigned char)*s))
			return -1;
		part = strtol(s, &end, 10);
		if (part > 1000000)
			return -1;
		switch (*end) {
		case 'd':
			part *= 24;
			/* fall through */
		case 'h':
			part *= 60;
			/* fall through */
		case 'm':
			part *= 60;
			/* fall through */
		case 's':
			end++;
			break;
		case '\0':
			break;
		default:
			return -1;
		}
		total += part;
		s = end;
	}
	return total;
}
