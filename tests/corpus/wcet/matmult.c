/* WCET style: products of integer matrices that are filled by a small generator, plain and transposed. */
#define ROWS 6
#define INNER 9
#define COLS 7

typedef int left_matrix[ROWS][INNER];
typedef int right_matrix[INNER][COLS];
typedef int product_matrix[ROWS][COLS];

unsigned int noise_state;
left_matrix Left;
right_matrix Right;
product_matrix Plain, Transposed;
int Mismatches;

static int next_noise(void)
{
  noise_state = noise_state * 75u % 65537u;
  return (int)(noise_state & 0x3f) - 32;
}

void fill_operands(void)
{
  int i, k;

  for (k = 0; k < INNER; k++) {
    for (i = 0; i < ROWS; i++)
      Left[i][k] = next_noise();
    for (i = 0; i < COLS; i++)
      Right[k][i] = next_noise();
  }
}

void multiply_plain(void)
{
  register int i, j, k;
  int acc;

  for (i = 0; i < ROWS; i++)
    for (j = 0; j < COLS; j++) {
      acc = 0;
      for (k = 0; k < INNER; k++)
        acc += Left[i][k] * Right[k][j];
      Plain[i][j] = acc;
    }
}

void multiply_transposed(void)
{
  int turned[COLS][INNER];
  int *row, *col;
  int i, j, k;

  for (k = 0; k < INNER; k++)
    for (j = 0; j < COLS; j++)
      turned[j][k] = Right[k][j];
  for (i = 0; i < ROWS; i++)
    for (j = 0; j < COLS; j++) {
      row = &Left[i][0];
      col = turned[j];
      Transposed[i][j] = 0;
      for (k = INNER; k > 0; k--)
        Transposed[i][j] += *row++ * *col++;
    }
}

int compare(product_matrix a, product_matrix b)
{
  int i, j, n = 0;

  for (i = 0; i < ROWS; i++)
    for (j = 0; j < COLS; j++)
      if (a[i][j] != b[i][j])
        n++;
  return n;
}

int main(void)
{
  noise_state = 4711;
  fill_operands();
  multiply_plain();
  multiply_transposed();
  Mismatches = compare(Plain, Transposed);
  return Mismatches;
}
