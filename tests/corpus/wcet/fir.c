/* WCET style: a filter with a circular delay line, and a decimator that uses it. */
#define TAPS 12
#define SAMPLES 48
#define DECIMATION 3

static const short taps[TAPS] = { -3, -9, 4, 38, 91, 135, 135, 91, 38, 4, -9, -3 };

short delay_line[TAPS];
int delay_pos;
short input[SAMPLES];
short output[SAMPLES / DECIMATION];
int clipped;

void fir_clear(void)
{
  int i;

  for (i = 0; i < TAPS; i++)
    delay_line[i] = 0;
  delay_pos = 0;
  clipped = 0;
}

short fir_step(short x)
{
  long acc = 0;
  int t, p;

  delay_line[delay_pos] = x;
  p = delay_pos;
  for (t = 0; t < TAPS; t++) {
    acc += (long)taps[t] * delay_line[p];
    if (--p < 0)
      p = TAPS - 1;
  }
  if (++delay_pos == TAPS)
    delay_pos = 0;
  acc >>= 9;
  if (acc > 32767) {
    acc = 32767;
    clipped++;
  } else if (acc < -32768) {
    acc = -32768;
    clipped++;
  }
  return (short)acc;
}

int decimate(short *in, int n, short *out)
{
  short *start = out;
  short y;
  int phase = 0;

  while (n-- > 0) {
    y = fir_step(*in++);
    if (++phase == DECIMATION) {
      phase = 0;
      *out++ = y;
    }
  }
  return out - start;
}

int main()
{
  int i, made;

  for (i = 0; i < SAMPLES; i++)
    input[i] = (short)((i & 8) ? 20000 - 900 * (i & 7) : -20000 + 900 * (i & 7));
  fir_clear();
  made = decimate(input, SAMPLES, output);
  return made != SAMPLES / DECIMATION || clipped;
}
