/*
 * Heap sort with an explicit sift-down.
 *
 * What is true of sift_down():
 *   - If both subtrees of root are heaps, the tree at root is a heap afterwards.
 *   - child < n whenever heap[child] is read; child + 1 is read only after `child + 1 < n`.
 *   - The loop ends, because root grows in every round. root must not be negative.
 *   - It leaves the loop by break exactly if the moved value is not smaller than its larger child.
 * What is true of heap_sort():
 *   - heap is sorted afterwards, for every n, 0 and negative ones included (nothing happens then).
 *
 *   pct analyze examples/algorithms/heap_sort.c -f sift_down
 */
static void exchange(int *a, int *b)
{
	int t = *a;

	*a = *b;
	*b = t;
}

void sift_down(int *heap, int root, int n)
{
	while (root < n / 2) {
		int child = 2 * root + 1;

		if (child + 1 < n && heap[child] < heap[child + 1])
			child++;
		if (heap[root] >= heap[child])
			break;
		exchange(&heap[root], &heap[child]);
		root = child;
	}
}

void heap_sort(int *heap, int n)
{
	int i;

	for (i = n / 2 - 1; i >= 0; i--)
		sift_down(heap, i, n);
	for (i = n - 1; i > 0; i--) {
		exchange(&heap[0], &heap[i]);
		sift_down(heap, 0, i);
	}
}
