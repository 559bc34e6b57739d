/* WCET style: an exchange sort that runs up and down in turns, with K&R definitions. */
#define ELEMENTS 40
#define ASCENDING 1
#define DESCENDING (-1)

int Values[ELEMENTS];
int Exchanges, Passes;

void FillDescending(v, n)
     int v[];
     int n;
{
  int k;

  for (k = 0; k < n; k++)
    v[k] = (n - k) * 2 - 1;
}

static int Pass(v, first, last, direction)
     int v[];
     int first, last, direction;
{
  int k, hold, touched;

  touched = first;
  for (k = first; k != last; k += direction) {
    if ((direction == ASCENDING && v[k] > v[k + 1]) || (direction == DESCENDING && v[k] < v[k - 1])) {
      hold = v[k];
      v[k] = v[k + direction];
      v[k + direction] = hold;
      touched = k;
      Exchanges++;
    }
  }
  Passes++;
  return touched;
}

void ShakeSort(v, n)
     int v[];
     int n;
{
  int low, high;

  low = 0;
  high = n - 1;
  while (low < high) {
    high = Pass(v, low, high, ASCENDING);
    if (low >= high)
      break;
    low = Pass(v, high, low, DESCENDING);
  }
}

int InOrder(v, n)
     int v[];
     int n;
{
  while (--n > 0)
    if (v[n - 1] > v[n])
      return 0;
  return 1;
}

int main()
{
  FillDescending(Values, ELEMENTS);
  ShakeSort(Values, ELEMENTS);
  return !InOrder(Values, ELEMENTS);
}
