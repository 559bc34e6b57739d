/* Embedded style: a small microcontroller: port registers, interrupts, a motor with a soft start and a safety chain. */
typedef unsigned char u8;
typedef unsigned int u16;
typedef signed int s16;

#define sfr(a) (*(volatile u8 *)(a))
#define PORTA sfr(0x25)
#define PINA sfr(0x26)
#define DDRA sfr(0x24)
#define ADCH sfr(0x79)
#define ADCSRA sfr(0x7A)
#define OCR0 sfr(0x47)
#define SET(p, b) ((p) |= (u8)(1u << (b)))
#define CLR(p, b) ((p) &= (u8)~(1u << (b)))
#define TST(p, b) (((p) >> (b)) & 1u)
#define DIR_PIN 0
#define ENABLE_PIN 1
#define ESTOP_PIN 2
#define DOOR_PIN 3
#define cli() __asm__ __volatile__ ("" ::: "memory")
#define sei() __asm__ __volatile__ ("" ::: "memory")

enum { M_OFF, M_RAMP_UP, M_RUN, M_RAMP_DOWN, M_TRIPPED };

static volatile u8 ms_tick;
static volatile u8 adc_value;
static volatile u16 overcurrent_us;
static u8 motor_state = M_OFF;
static u8 duty, target;
static u8 trip_reason;

static const u8 ramp[16] = { 0, 4, 9, 15, 22, 30, 40, 52, 66, 82, 100, 122, 148, 180, 216, 255 };
static u8 ramp_pos;

void timer_isr(void)
{
	static u8 prescale;

	if (++prescale == 8) {
		prescale = 0;
		ms_tick++;
	}
}

void adc_isr(void)
{
	adc_value = ADCH;
	if (adc_value > 200) {
		if (overcurrent_us < 60000u)
			overcurrent_us += 104;
	} else if (overcurrent_us >= 52)
		overcurrent_us -= 52;
	SET(ADCSRA, 6);
}

static u8 chain_closed(void)
{
	u8 first = PINA, second = PINA;

	first &= second;
	return TST(first, ESTOP_PIN) && TST(first, DOOR_PIN);
}

static void outputs(u8 pwm, u8 forward)
{
	if (pwm == 0)
		CLR(PORTA, ENABLE_PIN);
	else
		SET(PORTA, ENABLE_PIN);
	if (forward)
		SET(PORTA, DIR_PIN);
	else
		CLR(PORTA, DIR_PIN);
	OCR0 = pwm;
}

static void trip(u8 reason)
{
	outputs(0, 1);
	duty = 0;
	ramp_pos = 0;
	trip_reason = reason;
	motor_state = M_TRIPPED;
}

static u16 take_overcurrent(void)
{
	u16 t;

	cli();
	t = overcurrent_us;
	sei();
	return t;
}

void motor_poll(s16 wanted, u8 reset)
{
	u8 forward = wanted >= 0;

	target = (u8)(wanted < 0 ? (wanted < -255 ? 255 : -wanted) : (wanted > 255 ? 255 : wanted));
	if (motor_state != M_TRIPPED) {
		if (!chain_closed())
			trip(1);
		else if (take_overcurrent() > 5000u)
			trip(2);
	}
	switch (motor_state) {
	case M_OFF:
		if (target > 0) {
			ramp_pos = 0;
			motor_state = M_RAMP_UP;
		}
		break;
	case M_RAMP_UP:
		duty = ramp[ramp_pos];
		if (duty >= target) {
			duty = target;
			motor_state = M_RUN;
		} else if (ramp_pos < sizeof ramp - 1)
			ramp_pos++;
		break;
	case M_RUN:
		if (target == 0)
			motor_state = M_RAMP_DOWN;
		else if (target > duty)
			duty++;
		else if (target < duty)
			duty--;
		break;
	case M_RAMP_DOWN:
		if (ramp_pos == 0) {
			duty = 0;
			motor_state = M_OFF;
			break;
		}
		ramp_pos--;
		if (ramp[ramp_pos] < duty)
			duty = ramp[ramp_pos];
		break;
	case M_TRIPPED:
		if (reset && chain_closed() && take_overcurrent() == 0u) {
			trip_reason = 0;
			motor_state = M_OFF;
		}
		return;
	}
	outputs(duty, forward);
}

int main(void)
{
	u8 seen = 0;

	DDRA = 0x03;
	sei();
	for (;;) {
		if (seen != ms_tick) {
			seen++;
			motor_poll((s16)adc_value - 128, TST(PINA, 7));
		}
	}
}
