/* WCET style: statistics over a table: how many entries of each sign and parity, their sums, the extremes. */
#define LINES 12
#define ENTRIES 8
#define POSITIVE_FIRST

short Table[LINES][ENTRIES];
long Sum[2][2];
unsigned Count[2][2];
short Smallest, Largest;
int Zeros;

void Prepare(void)
{
  int l, e, seed = 17;

  for (l = 0; l < LINES; l++)
    for (e = 0; e < ENTRIES; e++) {
      seed = (seed * 29 + 11) % 1021;
      Table[l][e] = (short)(seed - 500);
    }
}

void Classify(void)
{
  register int l, e;
  int sign, parity;
  short x;

  Smallest = Largest = Table[0][0];
  for (l = 0; l < LINES; l++)
    for (e = 0; e < ENTRIES; e++) {
      x = Table[l][e];
      if (x == 0) {
        Zeros++;
        continue;
      }
#ifdef POSITIVE_FIRST
      sign = x > 0 ? 0 : 1;
#else
      sign = x > 0 ? 1 : 0;
#endif
      parity = x & 1;
      Count[sign][parity]++;
      Sum[sign][parity] += x;
      if (x < Smallest)
        Smallest = x;
      else if (x > Largest)
        Largest = x;
    }
}

int Verify(void)
{
  unsigned all = Zeros;
  int i;

  for (i = 0; i < 4; i++)
    all += Count[i >> 1][i & 1];
  return all == LINES * ENTRIES && Smallest <= Largest;
}

int main()
{
  Prepare();
  Classify();
  return Verify() ? 0 : 1;
}
