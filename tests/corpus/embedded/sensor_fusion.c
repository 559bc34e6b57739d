/* Embedded style: redundant float sensors, a filter, a vote of two out of three, and a cyclic task table. */
#include <stdint.h>
#include <stdbool.h>
#include <math.h>

typedef float float32;
typedef enum { SENSOR_OK = 0, SENSOR_SUSPECT, SENSOR_FAILED } SensorState;

typedef struct {
	float32 raw;
	float32 filtered;
	float32 gain;
	float32 offset;
	SensorState state;
	uint8_t strikes;
} Sensor;

typedef struct {
	const char *name;
	void (*run)(void);
	uint16_t period;
	uint16_t countdown;
} Task;

static Sensor sensors[3] = {
	{ 0.0f, 0.0f, 1.00f, 0.0f, SENSOR_OK, 0 },
	{ 0.0f, 0.0f, 1.02f, -0.1f, SENSOR_OK, 0 },
	{ 0.0f, 0.0f, 0.98f, 0.1f, SENSOR_OK, 0 },
};
static float32 voted;
static bool voted_valid;
static uint32_t cycle;

extern float32 Hal_ReadSensor(uint8_t channel);
extern void Hal_SetAlarm(bool on);

static bool Finite(float32 x)
{
	return x == x && x - x == 0.0f;
}

static float32 Abs(float32 x)
{
	return x < 0.0f ? -x : x;
}

static void Sensor_Update(Sensor *s, float32 raw)
{
	const float32 alpha = 0.2f;
	float32 value = s->gain * raw + s->offset;

	s->raw = raw;
	if (!Finite(raw) || raw < -50.0f || raw > 400.0f) {
		if (s->strikes < 10u)
			s->strikes++;
	} else {
		s->filtered += alpha * (value - s->filtered);
		if (s->strikes > 0u)
			s->strikes--;
	}
	if (s->strikes >= 10u)
		s->state = SENSOR_FAILED;
	else if (s->state != SENSOR_FAILED)
		s->state = s->strikes >= 3u ? SENSOR_SUSPECT : SENSOR_OK;
}

static float32 Median(float32 a, float32 b, float32 c)
{
	float32 low = fminf(a, b), high = fmaxf(a, b);

	return fmaxf(low, fminf(high, c));
}

static bool Agree(const Sensor *a, const Sensor *b)
{
	return a->state == SENSOR_OK && b->state == SENSOR_OK && Abs(a->filtered - b->filtered) <= 2.5f;
}

void Vote(void)
{
	bool ab = Agree(&sensors[0], &sensors[1]);
	bool bc = Agree(&sensors[1], &sensors[2]);
	bool ca = Agree(&sensors[2], &sensors[0]);

	voted_valid = true;
	if (ab && bc && ca)
		voted = Median(sensors[0].filtered, sensors[1].filtered, sensors[2].filtered);
	else if (ab)
		voted = 0.5f * (sensors[0].filtered + sensors[1].filtered);
	else if (bc)
		voted = 0.5f * (sensors[1].filtered + sensors[2].filtered);
	else if (ca)
		voted = 0.5f * (sensors[2].filtered + sensors[0].filtered);
	else
		voted_valid = false;
}

void Sample(void)
{
	uint8_t i;

	for (i = 0u; i < 3u; i++)
		Sensor_Update(&sensors[i], Hal_ReadSensor(i));
}

void Alarm(void)
{
	static bool on = false;
	static uint8_t calm;

	if (!voted_valid || voted > 120.0f) {
		on = true;
		calm = 0u;
	} else if (on && voted < 110.0f && ++calm > 5u) {
		on = false;
	}
	Hal_SetAlarm(on);
}

static Task tasks[] = {
	{ "sample", Sample, 1u, 1u },
	{ "vote", Vote, 2u, 2u },
	{ "alarm", Alarm, 10u, 10u },
};

void Scheduler_Tick(void)
{
	Task *t;

	for (t = tasks; t < tasks + sizeof tasks / sizeof *tasks; ++t) {
		if (t->period == 0u)
			continue;
		if (--t->countdown == 0u) {
			t->countdown = t->period;
			(*t->run)();
		}
	}
	cycle++;
}

double Rms(const double *x, int n)
{
	double s = 0.0;
	int used = 0;

	for (int i = 0; i < n; i++) {
		if (isnan(x[i]))
			continue;
		s += x[i] * x[i];
		used++;
	}
	return used ? sqrt(s / used) : 0.0;
}
