/*
 * Quick select: the k-th smallest element of an array, by repeated partition.
 *
 * What is true of quick_select():
 *   - For 0 <= k < n it returns what would stand at a[k] if a were sorted. For other k it returns 0 and touches
 *     nothing.
 *   - left <= k <= right in the outer loop, before the partition.
 *   - The two scans need no test of their index: the pivot, or an element that was exchanged before, stops them.
 *   - After the scans, i > j or a[i] and a[j] were exchanged.
 *   - The array is permuted, nothing is lost.
 *
 *   pct analyze examples/algorithms/quick_select.c -f quick_select
 */
static void swap(int *a, int i, int j)
{
	int t = a[i];

	a[i] = a[j];
	a[j] = t;
}

int quick_select(int *a, int n, int k)
{
	int left = 0, right = n - 1;

	if (k < 0 || k >= n)
		return 0;

	while (left < right) {
		int pivot = a[k];
		int i = left, j = right;

		do {
			while (a[i] < pivot)
				i++;
			while (pivot < a[j])
				j--;
			if (i <= j) {
				swap(a, i, j);
				i++;
				j--;
			}
		} while (i <= j);

		if (j < k)
			left = i;
		if (k < i)
			right = j;
	}
	return a[k];
}
