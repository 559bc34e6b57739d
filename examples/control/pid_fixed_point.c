/*
 * A PID controller in fixed point (Q8.8), with limits for the output and for the integral.
 *
 * What is true of pid_step():
 *   - The output is between out_min and out_max, provided out_min <= out_max.
 *   - The integral is changed only if the output was not limited, or if the error drives it back (anti-windup).
 *   - Nothing overflows if last_error was left by pid_step() or is 0: the products are formed in 64 bits.
 *   - In the first step (primed is false) the differential part is 0.
 *   - Q8.8 right shifts round towards minus infinity, so a small negative error has an effect where the same positive
 *     one has none.
 *
 *   pct analyze examples/control/pid_fixed_point.c -f pid_step
 */
#include <stdbool.h>
#include <stdint.h>

typedef int16_t q8_8_t;

struct pid {
	q8_8_t kp, ki, kd;
	int32_t integral;
	int32_t integral_limit;
	int32_t last_error;
	int32_t out_min, out_max;
	bool primed;
};

static int64_t clamp(int64_t x, int64_t low, int64_t high)
{
	if (x < low)
		return low;
	if (x > high)
		return high;
	return x;
}

int32_t pid_step(struct pid *p, int16_t setpoint, int16_t measured)
{
	int32_t error = (int32_t)setpoint - measured;
	int32_t delta = p->primed ? error - p->last_error : 0;
	int64_t raw;
	int32_t out;

	raw = ((int64_t)p->kp * error + (int64_t)p->ki * p->integral + (int64_t)p->kd * delta) >> 8;
	out = (int32_t)clamp(raw, p->out_min, p->out_max);

	if (out == raw || (raw > p->out_max && error < 0) || (raw < p->out_min && error > 0))
		p->integral = (int32_t)clamp((int64_t)p->integral + error, -(int64_t)p->integral_limit,
					     p->integral_limit);

	p->last_error = error;
	p->primed = true;
	return out;
}
