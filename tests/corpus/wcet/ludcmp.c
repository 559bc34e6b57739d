/* WCET style: linear equations in double, by decomposition with a choice of the pivot; square roots by iteration. */
#define DIM 6

double coefficient[DIM][DIM], right_side[DIM], solution[DIM];
int order[DIM];
double worst;

static double magnitude(double v)
{
  if (v < 0.0)
    return -v;
  return v;
}

static int choose_pivot(int column, int n)
{
  int r, best = column;

  for (r = column + 1; r < n; r++)
    if (magnitude(coefficient[order[r]][column]) > magnitude(coefficient[order[best]][column]))
      best = r;
  return best;
}

int decompose(int n, double tiny)
{
  int c, r, k, p, t;
  double factor;

  if (n < 1 || n > DIM || !(tiny > 0.0))
    return -1;
  for (r = 0; r < n; r++)
    order[r] = r;
  for (c = 0; c < n; c++) {
    p = choose_pivot(c, n);
    if (p != c) {
      t = order[p];
      order[p] = order[c];
      order[c] = t;
    }
    if (magnitude(coefficient[order[c]][c]) <= tiny)
      return c + 1;
    for (r = c + 1; r < n; r++) {
      factor = coefficient[order[r]][c] / coefficient[order[c]][c];
      coefficient[order[r]][c] = factor;
      if (factor != 0.0)
        for (k = c + 1; k < n; k++)
          coefficient[order[r]][k] -= factor * coefficient[order[c]][k];
    }
  }
  return 0;
}

void substitute(int n)
{
  int r, k;
  double s;

  for (r = 0; r < n; r++) {
    s = right_side[order[r]];
    for (k = 0; k < r; k++)
      s -= coefficient[order[r]][k] * solution[k];
    solution[r] = s;
  }
  for (r = n - 1; r >= 0; r--) {
    s = solution[r];
    for (k = r + 1; k < n; k++)
      s -= coefficient[order[r]][k] * solution[k];
    solution[r] = s / coefficient[order[r]][r];
  }
}

float root(float v)
{
  float guess = v > 1.0f ? v / 2.0f : 1.0f, better;
  int tries = 0;

  if (!(v > 0.0f))
    return 0.0f;
  do {
    better = 0.5f * (guess + v / guess);
    if (magnitude(better - guess) < 1e-6 * better)
      break;
    guess = better;
  } while (++tries < 25);
  return better;
}

int main(void)
{
  int i, j, singular;

  for (i = 0; i < DIM; i++) {
    right_side[i] = 0.0;
    for (j = 0; j < DIM; j++) {
      coefficient[i][j] = i == j ? 0.25 * i : 1.0 + (i * 5 + j * 3) % 7;
      right_side[i] += coefficient[i][j];
    }
  }
  singular = decompose(DIM, 1.0e-9);
  if (singular)
    return singular;
  substitute(DIM);
  worst = 0.0;
  for (i = 0; i < DIM; i++)
    if (magnitude(solution[i] - 1.0) > worst)
      worst = magnitude(solution[i] - 1.0);
  return worst > 1e-6 || root(2.0f) < 1.41f;
}
