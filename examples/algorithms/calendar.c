/*
 * Dates of the Gregorian calendar: leap years, day of the year, weekday, the day after.
 *
 * What is true of day_of_year():
 *   - It returns 1 to 366, or 0 for a date that does not exist; 366 only in leap years.
 *   - 29 February exists exactly if the year is divisible by 4 and not by 100, or by 400.
 *   - A month outside 1 to 12 is refused before the table is read.
 *   - `month > 2` and a leap year add one day; in January and February they do not.
 * What is true of the others:
 *   - weekday() returns 0 (Sunday) to 6, or -1 for a date that does not exist.
 *   - next_day() of 31 December is 1 January of the next year; it refuses to leave MAX_YEAR.
 *
 *   pct analyze examples/algorithms/calendar.c -f day_of_year
 */
#include <stdbool.h>
#include <stdint.h>

#define MIN_YEAR 1583
#define MAX_YEAR 9999

struct date {
	int16_t year;
	int8_t month;
	int8_t day;
};

static const int16_t days_before[13] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 };

bool is_leap(int year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in(int year, int month)
{
	if (month == 2 && is_leap(year))
		return 29;
	return days_before[month] - days_before[month - 1];
}

bool date_exists(const struct date *d)
{
	if (d->year < MIN_YEAR || d->year > MAX_YEAR)
		return false;
	if (d->month < 1 || d->month > 12)
		return false;
	return d->day >= 1 && d->day <= days_in(d->year, d->month);
}

int day_of_year(const struct date *d)
{
	int day;

	if (!date_exists(d))
		return 0;
	day = days_before[d->month - 1] + d->day;
	if (d->month > 2 && is_leap(d->year))
		day++;
	return day;
}

int weekday(const struct date *d)
{
	int past, day = day_of_year(d);

	if (day == 0)
		return -1;
	past = d->year - 1;
	return (past + past / 4 - past / 100 + past / 400 + day) % 7;
}

bool next_day(struct date *d)
{
	if (!date_exists(d))
		return false;
	if (d->day < days_in(d->year, d->month)) {
		d->day++;
		return true;
	}
	if (d->month < 12) {
		d->month++;
	} else {
		if (d->year == MAX_YEAR)
			return false;
		d->year++;
		d->month = 1;
	}
	d->day = 1;
	return true;
}
