/* Embedded style: reception and dispatch of CAN messages with function tables, signal extraction and timeouts. */
#include <stdint.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define REG32(addr) (*(volatile uint32_t *)(addr))
#define CAN_BASE 0x40006400u
#define CAN_RF0R REG32(CAN_BASE + 0x0Cu)
#define CAN_RI0R REG32(CAN_BASE + 0x1B0u)
#define CAN_RDT0R REG32(CAN_BASE + 0x1B4u)
#define CAN_RDL0R REG32(CAN_BASE + 0x1B8u)
#define CAN_RDH0R REG32(CAN_BASE + 0x1BCu)
#define RF0R_FMP0 0x3u
#define RF0R_FULL0 0x8u
#define RF0R_RFOM0 0x20u
#define RI0R_IDE 0x4u

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define BIT(n) (1u << (n))

typedef struct __attribute__((packed)) {
	uint32_t id : 29;
	uint32_t extended : 1;
	uint32_t overrun : 1;
	uint32_t : 1;
	uint8_t length;
	union {
		uint8_t byte[8];
		uint16_t half[4];
		uint32_t word[2];
	} data;
} can_frame_t;

typedef void (*can_handler_t)(const can_frame_t *frame);

typedef struct {
	uint32_t id;
	uint8_t length;
	uint16_t timeout_ms;
	can_handler_t handler;
	void (*on_timeout)(void);
} can_entry_t;

static struct {
	int16_t steering;	/* 0.1 degree */
	uint16_t wheel[4];	/* 0.01 km/h */
	uint8_t gear;
	bool brake;
	bool valid;
} vehicle;

static uint16_t age_ms[3];
static uint8_t alive_expected;
static uint32_t lost_frames, bad_frames;

static uint32_t get_bits(const can_frame_t *f, uint8_t start, uint8_t width)
{
	uint32_t value = 0;
	uint8_t i;

	for (i = 0; i < width; i++) {
		uint8_t pos = (uint8_t)(start + i);

		if (f->data.byte[pos >> 3] & BIT(pos & 7u))
			value |= BIT(i);
	}
	return value;
}

static int32_t sign_extend(uint32_t value, uint8_t width)
{
	uint32_t sign = BIT(width - 1u);

	return (int32_t)((value ^ sign) - sign);
}

static void on_steering(const can_frame_t *f)
{
	uint8_t alive = (uint8_t)get_bits(f, 56, 4);
	uint8_t sum = 0;
	int i;

	for (i = 0; i < 7; i++)
		sum += f->data.byte[i];
	if (sum != f->data.byte[7] >> 4 << 4 && alive != alive_expected) {
		bad_frames++;
		return;
	}
	alive_expected = (uint8_t)((alive + 1u) & 0xFu);
	vehicle.steering = (int16_t)sign_extend(get_bits(f, 0, 14), 14);
}

static void on_wheels(const can_frame_t *f)
{
	int i;

	for (i = 0; i < 4; i++)
		if (f->data.half[i] != 0xFFFFu)
			vehicle.wheel[i] = f->data.half[i];
		else
			vehicle.valid = false;
}

static void on_gear(const can_frame_t *f)
{
	uint8_t g = f->data.byte[0] & 0x0Fu;

	if (g <= 8 || g == 0x0E || g == 0x0F)
		vehicle.gear = g;
	vehicle.brake = (f->data.byte[1] & BIT(5)) != 0u;
}

static void wheels_lost(void)
{
	memset(vehicle.wheel, 0, sizeof vehicle.wheel);
	vehicle.valid = false;
}

static const can_entry_t entries[] = {
	{ 0x0C2u, 8, 50, on_steering, NULL },
	{ 0x1A0u, 8, 20, on_wheels, wheels_lost },
	{ 0x540u, 2, 500, on_gear, NULL },
};

static const can_entry_t *find_entry(uint32_t id)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(entries); i++)
		if (entries[i].id == id)
			return &entries[i];
	return NULL;
}

void can_dispatch(const can_frame_t *f)
{
	const can_entry_t *e;

	if (f->extended || (e = find_entry(f->id)) == NULL)
		return;
	if (f->length < e->length) {
		bad_frames++;
		return;
	}
	age_ms[e - entries] = 0;
	e->handler(f);
}

void CAN_RX0_IRQHandler(void)
{
	can_frame_t f;

	while ((CAN_RF0R & RF0R_FMP0) != 0u) {
		uint32_t ri = CAN_RI0R;

		if (CAN_RF0R & RF0R_FULL0)
			lost_frames++;
		f.extended = (ri & RI0R_IDE) ? 1u : 0u;
		f.id = f.extended ? ri >> 3 : ri >> 21;
		f.length = (uint8_t)(CAN_RDT0R & 0xFu);
		f.overrun = 0;
		f.data.word[0] = CAN_RDL0R;
		f.data.word[1] = CAN_RDH0R;
		CAN_RF0R |= RF0R_RFOM0;
		can_dispatch(&f);
	}
}

void can_tick(uint16_t elapsed_ms)
{
	for (size_t i = 0; i < ARRAY_LEN(entries); i++) {
		if (age_ms[i] >= entries[i].timeout_ms)
			continue;
		if (elapsed_ms > UINT16_MAX - age_ms[i])
			age_ms[i] = UINT16_MAX;
		else
			age_ms[i] += elapsed_ms;
		if (age_ms[i] >= entries[i].timeout_ms && entries[i].on_timeout)
			entries[i].on_timeout();
	}
}

bool vehicle_stands(void)
{
	for (int i = 0; i < 4; i++)
		if (vehicle.wheel[i] > 50)
			return false;
	return vehicle.valid && vehicle.brake;
}
