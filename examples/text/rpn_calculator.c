/*
 * A calculator in reverse Polish notation with a stack of eight cells: "3 4 + 2 *".
 *
 * What is true of rpn_evaluate():
 *   - depth is between 0 and STACK_SIZE at the head of the loop.
 *   - An operator with fewer than two operands is RPN_UNDERFLOW; '~' (negation) needs only one.
 *   - Division by zero is RPN_DIVISION, and so is INT32_MIN / -1, whose quotient does not fit.
 *   - RPN_OK implies that exactly one value was left.
 *   - Arithmetic that does not fit into 32 bits is RPN_RANGE; nothing overflows, because it is done in 64 bits.
 *   - The default of the inner switch cannot be reached: is_operator() let only its cases pass.
 *
 *   pct analyze examples/text/rpn_calculator.c -f rpn_evaluate
 */
#include <stdbool.h>
#include <stdint.h>

#define STACK_SIZE 8

typedef enum { RPN_OK, RPN_SYNTAX, RPN_UNDERFLOW, RPN_OVERFLOW, RPN_DIVISION, RPN_RANGE, RPN_UNFINISHED } rpn_t;

static bool is_operator(char c)
{
	return c == '+' || c == '-' || c == '*' || c == '/';
}

static bool fits(int64_t x)
{
	return x >= INT32_MIN && x <= INT32_MAX;
}

rpn_t rpn_evaluate(const char *text, int32_t *result)
{
	int32_t stack[STACK_SIZE];
	int depth = 0;

	while (*text != '\0') {
		char c = *text;

		if (c == ' ') {
			text++;
		} else if (c >= '0' && c <= '9') {
			int64_t value = 0;

			while (*text >= '0' && *text <= '9') {
				value = value * 10 + (*text - '0');
				if (!fits(value))
					return RPN_RANGE;
				text++;
			}
			if (depth >= STACK_SIZE)
				return RPN_OVERFLOW;
			stack[depth++] = (int32_t)value;
		} else if (c == '~') {
			if (depth < 1)
				return RPN_UNDERFLOW;
			if (!fits(-(int64_t)stack[depth - 1]))
				return RPN_RANGE;
			stack[depth - 1] = -stack[depth - 1];
			text++;
		} else if (is_operator(c)) {
			int64_t a, b, value;

			if (depth < 2)
				return RPN_UNDERFLOW;
			b = stack[--depth];
			a = stack[--depth];
			switch (c) {
			case '+':
				value = a + b;
				break;
			case '-':
				value = a - b;
				break;
			case '*':
				value = a * b;
				break;
			case '/':
				if (b == 0 || (a == INT32_MIN && b == -1))
					return RPN_DIVISION;
				value = a / b;
				break;
			default:
				return RPN_SYNTAX;
			}
			if (!fits(value))
				return RPN_RANGE;
			stack[depth++] = (int32_t)value;
			text++;
		} else {
			return RPN_SYNTAX;
		}
	}

	if (depth != 1)
		return RPN_UNFINISHED;
	*result = stack[0];
	return RPN_OK;
}
