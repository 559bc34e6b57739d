/*
 * A vending machine: coins, a choice, change; with a main function that feeds it with arbitrary events.
 *
 * What is true of main():
 *   - The assertions hold: the credit is never negative and never above CREDIT_LIMIT + 200, and what was paid in is
 *     what was spent, paid out and is still there.
 *   - A coin that is none of 10, 20, 50, 100, 200 falls through and changes nothing.
 *   - A choice is served only if it exists, is in stock and the credit suffices.
 *   - A coin is accepted only while the credit is at most CREDIT_LIMIT.
 *   - Change is paid out in the largest coins first, and there is never a rest: all prices are multiples of 10.
 *
 *   pct analyze examples/control/vending_machine.c
 */
#include <assert.h>
#include <stdbool.h>

#define PRODUCTS 4
#define CREDIT_LIMIT 500

int nondet_int(void);

enum event { COIN, CHOICE, CANCEL };

static const int price[PRODUCTS] = { 80, 120, 150, 250 };
static const int coins[5] = { 200, 100, 50, 20, 10 };
static int stock[PRODUCTS] = { 2, 2, 1, 1 };

static bool is_coin(int value)
{
	return value == 10 || value == 20 || value == 50 || value == 100 || value == 200;
}

static int pay_out(int amount)
{
	int i = 0, paid = 0;

	while (i < 5) {
		if (amount - paid >= coins[i])
			paid += coins[i];
		else
			i++;
	}
	return paid;
}

int main(void)
{
	int credit = 0, paid_in = 0, spent = 0, returned = 0, rounds;

	for (rounds = 0; rounds < 20; rounds++) {
		int event = nondet_int();
		int value = nondet_int();

		if (event == COIN) {
			if (is_coin(value) && credit <= CREDIT_LIMIT) {
				credit += value;
				paid_in += value;
			}
		} else if (event == CHOICE) {
			if (value >= 0 && value < PRODUCTS && stock[value] > 0 && credit >= price[value]) {
				stock[value]--;
				credit -= price[value];
				spent += price[value];
			}
		} else if (event == CANCEL) {
			int paid = pay_out(credit);

			credit -= paid;
			returned += paid;
			assert(credit == 0);
		}
		assert(credit >= 0 && credit <= CREDIT_LIMIT + 200);
		assert(paid_in == spent + returned + credit);
	}
	return credit;
}
