/*
 * A pool of blocks of one size, with a free list inside the blocks.
 *
 * What is true of pool_free(), after pool_init():
 *   - Pointers that are null, outside the pool, not at the start of a block, or already free are refused.
 *   - free_count plus the number of blocks in use is BLOCKS, before and after.
 *   - The walk along the free list ends after at most BLOCKS steps.
 * What is true of pool_alloc(), after pool_init():
 *   - It returns NULL exactly if free_count is 0, and otherwise a block that nobody else holds.
 *   - The block that was freed last is given out first.
 *
 *   pct analyze examples/structures/memory_pool.c -f pool_free
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCKS 8
#define BLOCK_SIZE 32

typedef union block {
	union block *next;
	uint8_t bytes[BLOCK_SIZE];
} block_t;

static block_t blocks[BLOCKS];
static block_t *free_list;
static unsigned free_count;

void pool_init(void)
{
	int i;

	free_list = NULL;
	for (i = BLOCKS - 1; i >= 0; i--) {
		blocks[i].next = free_list;
		free_list = &blocks[i];
	}
	free_count = BLOCKS;
}

void *pool_alloc(void)
{
	block_t *b = free_list;

	if (b == NULL)
		return NULL;
	free_list = b->next;
	free_count--;
	return b;
}

bool pool_free(void *p)
{
	uintptr_t address = (uintptr_t)p;
	uintptr_t first = (uintptr_t)&blocks[0];
	block_t *b;

	if (p == NULL || address < first || address >= first + sizeof blocks)
		return false;
	if ((address - first) % sizeof(block_t) != 0)
		return false;
	for (b = free_list; b != NULL; b = b->next)
		if (b == p)
			return false;

	b = p;
	b->next = free_list;
	free_list = b;
	free_count++;
	return true;
}
