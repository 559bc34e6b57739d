/*
 * One step of the game of life on a torus of 8 by 8 cells, a row in each byte.
 *
 * What is true of life_step():
 *   - neighbours is between 0 and 8 when the rule is applied.
 *   - A cell with 2 neighbours keeps its state, one with 3 lives, every other one dies.
 *   - The empty field stays empty, and the full one becomes empty: each of its cells has 8 neighbours.
 *   - It returns the number of living cells of the new field, 0 to 64.
 *   - A shift is always by 0 to 7: the coordinates are taken modulo SIZE.
 *
 *   pct analyze examples/algorithms/game_of_life.c -f life_step
 */
#include <stdint.h>
#include <string.h>

#define SIZE 8

typedef struct {
	uint8_t row[SIZE];
} field_t;

static int alive(const field_t *f, int x, int y)
{
	return (f->row[(unsigned)y % SIZE] >> ((unsigned)x % SIZE)) & 1;
}

int life_step(field_t *f)
{
	field_t next;
	int x, y, dx, dy, population = 0;

	memset(&next, 0, sizeof next);
	for (y = 0; y < SIZE; y++) {
		for (x = 0; x < SIZE; x++) {
			int neighbours = 0;

			for (dy = -1; dy <= 1; dy++)
				for (dx = -1; dx <= 1; dx++)
					if (dx != 0 || dy != 0)
						neighbours += alive(f, x + dx, y + dy);

			if (neighbours == 3 || (neighbours == 2 && alive(f, x, y))) {
				next.row[y] |= (uint8_t)(1u << x);
				population++;
			}
		}
	}
	*f = next;
	return population;
}
