/* Embedded style: engine speed from tooth interrupts, in fixed point, with look-up tables and diagnosis. */
#include <stdint.h>

typedef uint8_t U8;
typedef uint16_t U16;
typedef uint32_t U32;
typedef int16_t S16;
typedef int32_t S32;
typedef U16 RPM_T;		/* 1 LSB = 0.25 rpm */
typedef S16 DEG_T;		/* 1 LSB = 1/64 degree */
typedef U8 FLAG_T;

#define TEETH 58u
#define GAP_RATIO_Q4 40u	/* 2.5 in Q4 */
#define TIMER_HZ 1000000ul
#define MAP_X 6
#define MAP_Y 5
#define LIMIT(x, lo, hi) ((x) < (lo) ? (lo) : ((x) > (hi) ? (hi) : (x)))

typedef union {
	U8 byte;
	struct {
		U8 synced : 1;
		U8 gap_seen : 1;
		U8 stalled : 1;
		U8 noisy : 1;
		U8 limp_home : 1;
		U8 unused : 3;
	} bit;
} ENGINE_STATUS_T;

volatile U16 TIMER_COUNT;
volatile U16 CAPTURE_REG;
volatile U8 CAPTURE_FLAGS;

static volatile U16 last_capture;
static volatile U16 period, last_period;
static volatile U8 tooth;
static volatile ENGINE_STATUS_T status;
static U8 noise_count;

static const RPM_T map_rpm[MAP_X] = { 2400, 4000, 8000, 12000, 16000, 24000 };
static const U8 map_load[MAP_Y] = { 20, 60, 100, 160, 255 };
static const DEG_T map_advance[MAP_Y][MAP_X] = {
	{ 640, 768, 1280, 1664, 1920, 2048 },
	{ 576, 704, 1216, 1600, 1856, 1984 },
	{ 512, 640, 1088, 1472, 1728, 1856 },
	{ 448, 512, 896, 1216, 1472, 1600 },
	{ 320, 384, 640, 960, 1216, 1344 }
};

void CrankTooth_ISR(void)
{
	U16 now = CAPTURE_REG;

	CAPTURE_FLAGS = 0x80u;
	last_period = period;
	period = (U16)(now - last_capture);
	last_capture = now;
	status.bit.stalled = 0;
	if (last_period != 0u && ((U32)period << 4) > (U32)last_period * GAP_RATIO_Q4) {
		if (status.bit.synced && tooth != TEETH) {
			status.bit.noisy = 1;
			if (noise_count < 255u)
				noise_count++;
		}
		status.bit.synced = 1;
		status.bit.gap_seen = 1;
		tooth = 0u;
	} else if (tooth <= TEETH) {
		tooth++;
	} else {
		status.bit.synced = 0;
	}
}

void TimerOverflow_ISR(void)
{
	static U8 overflows;

	if (!status.bit.stalled) {
		if (++overflows >= 4u) {
			status.bit.stalled = 1;
			status.bit.synced = 0;
			period = 0u;
			overflows = 0u;
		}
	}
}

RPM_T Engine_GetRpm(void)
{
	U16 p1, p2;
	U32 rpm;

	do {
		p1 = period;
		p2 = period;
	} while (p1 != p2);
	if (p1 == 0u || status.bit.stalled)
		return 0u;
	rpm = (TIMER_HZ * 4ul) / ((U32)p1 * (TEETH + 2u)) * 60ul;
	return (RPM_T)LIMIT(rpm, 0u, 65535u);
}

static U8 Map_FindRpm(RPM_T rpm)
{
	U8 i;

	for (i = 0; i < MAP_X - 2u; i++)
		if (rpm < map_rpm[i + 1u])
			break;
	return i;
}

static U8 Map_FindLoad(U8 load)
{
	U8 lo = 0, hi = MAP_Y - 1;

	while (hi - lo > 1) {
		U8 mid = (U8)((lo + hi) >> 1);

		if (map_load[mid] <= load)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

static S16 Interpolate(S32 x, S32 x0, S32 x1, S16 y0, S16 y1)
{
	if (x <= x0)
		return y0;
	if (x >= x1)
		return y1;
	return (S16)(y0 + ((S32)(y1 - y0) * (x - x0)) / (x1 - x0));
}

DEG_T Ignition_Advance(RPM_T rpm, U8 load)
{
	U8 i = Map_FindRpm(rpm);
	U8 j = Map_FindLoad(load);
	S16 low, high;

	if (status.bit.limp_home || !status.bit.synced)
		return 640;
	low = Interpolate(rpm, map_rpm[i], map_rpm[i + 1], map_advance[j][i], map_advance[j][i + 1]);
	high = Interpolate(rpm, map_rpm[i], map_rpm[i + 1], map_advance[j + 1][i], map_advance[j + 1][i + 1]);
	return Interpolate(load, map_load[j], map_load[j + 1], low, high);
}

FLAG_T Engine_Diagnose(void)
{
	static U8 good_cycles;
	FLAG_T changed = 0u;

	if (noise_count > 10u && !status.bit.limp_home) {
		status.bit.limp_home = 1;
		good_cycles = 0u;
		changed = 1u;
	} else if (status.bit.limp_home) {
		if (!status.bit.noisy)
			good_cycles++;
		else
			good_cycles = 0u;
		if (good_cycles >= 50u) {
			status.bit.limp_home = 0;
			noise_count = 0u;
			changed = 1u;
		}
	}
	status.bit.noisy = 0;
	return changed;
}
