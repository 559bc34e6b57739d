/* WCET style: loops whose bounds depend on each other, so that the product of the bounds is far too much. */
int rounds;

int chase(int hare, int tortoise)
{
  while (tortoise < 64) {
    while (hare > tortoise) {
      if (hare % 4 == 1)
        hare = hare / 2;
      else
        hare = hare - 3;
      if (hare > 20 && hare < 25)
        tortoise += 7;
      else
        tortoise++;
      rounds++;
    }
    tortoise += 2;
    hare += 11;
  }
  return hare - tortoise;
}

int triangular(int n)
{
  int i, j, steps = 0;

  for (i = 0; i < n; i++) {
    for (j = i; j < n; j += 1 + (i & 1)) {
      if ((i ^ j) & 4)
        continue;
      steps++;
      if (steps > 1000)
        return -1;
    }
  }
  return steps;
}

int two_phases(int n)
{
  int k = 0, budget = n;

  do {
    int inner = budget;

    while (inner > 0 && k < 100) {
      inner -= 1 + k / 8;
      k++;
    }
    budget = budget / 2;
  } while (budget > 0);
  return k;
}

int main()
{
  int answer;

  rounds = 0;
  answer = chase(50, 3);
  if (answer < 0)
    answer += triangular(9);
  return answer + two_phases(20) + rounds;
}
