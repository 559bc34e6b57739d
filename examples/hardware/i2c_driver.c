/*
 * A driver for a two-wire bus, by polling of registers that the hardware changes.
 *
 * What is true of i2c_write():
 *   - Every wait ends after at most WAIT_LIMIT reads of the status register: the function always returns.
 *   - Two reads of the same volatile register may differ: what was read once says nothing of the next read.
 *   - A stop condition is requested on every path after the start condition was, errors included.
 *   - The answer is I2C_OK only if every byte, the address included, was acknowledged.
 *   - An address above 0x77 or below 0x08, and a null pointer with a length that is not 0, are refused before the
 *     hardware is touched.
 *
 *   pct analyze examples/hardware/i2c_driver.c -f i2c_write
 */
#include <stddef.h>
#include <stdint.h>

typedef struct {
	volatile uint32_t control;
	volatile uint32_t status;
	volatile uint32_t data;
} i2c_registers_t;

#define CONTROL_START 0x01u
#define CONTROL_STOP 0x02u
#define STATUS_BUSY 0x01u
#define STATUS_DONE 0x02u
#define STATUS_NACK 0x04u
#define STATUS_LOST 0x08u
#define WAIT_LIMIT 1000

typedef enum { I2C_OK, I2C_ARGUMENT, I2C_BUSY, I2C_TIMEOUT, I2C_NACK, I2C_ARBITRATION } i2c_result_t;

static i2c_result_t wait_done(i2c_registers_t *i2c)
{
	int polls;

	for (polls = 0; polls < WAIT_LIMIT; polls++) {
		uint32_t status = i2c->status;

		if (status & STATUS_LOST)
			return I2C_ARBITRATION;
		if (status & STATUS_DONE)
			return status & STATUS_NACK ? I2C_NACK : I2C_OK;
	}
	return I2C_TIMEOUT;
}

static i2c_result_t send(i2c_registers_t *i2c, uint8_t byte)
{
	i2c->data = byte;
	return wait_done(i2c);
}

i2c_result_t i2c_write(i2c_registers_t *i2c, uint8_t address, const uint8_t *data, size_t n)
{
	i2c_result_t result;
	size_t i;

	if (address < 0x08 || address > 0x77 || (data == NULL && n > 0))
		return I2C_ARGUMENT;
	if (i2c->status & STATUS_BUSY)
		return I2C_BUSY;

	i2c->control = CONTROL_START;
	result = send(i2c, (uint8_t)(address << 1));
	for (i = 0; i < n && result == I2C_OK; i++)
		result = send(i2c, data[i]);
	i2c->control = CONTROL_STOP;
	return result;
}
