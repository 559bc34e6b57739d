/*
 * Insertion sort of records by key, stable.
 *
 * What is true of sort_records():
 *   - Afterwards the records are a permutation of those before, sorted by key; equal keys keep their order.
 *   - j >= 0 whenever records[j] is read, because it is tested first.
 *   - At the end of a round records[0..i] is sorted.
 *   - With n <= 1 nothing is read or written.
 *   - In a round in which the new key is not smaller than the one before it, the inner loop does not run.
 *
 *   pct analyze examples/algorithms/insertion_sort.c -f sort_records
 */
#include <stdbool.h>
#include <stdint.h>

typedef struct {
	int32_t key;
	uint16_t payload;
} record_t;

void sort_records(record_t *records, int n)
{
	int i, j;

	for (i = 1; i < n; i++) {
		record_t moved = records[i];

		j = i - 1;
		while (j >= 0 && records[j].key > moved.key) {
			records[j + 1] = records[j];
			j--;
		}
		records[j + 1] = moved;
	}
}

bool is_sorted(const record_t *records, int n)
{
	int i;

	for (i = 1; i < n; i++)
		if (records[i - 1].key > records[i].key)
			return false;
	return true;
}
