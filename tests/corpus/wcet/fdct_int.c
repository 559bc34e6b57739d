/* WCET style: a forward cosine transform of blocks of 8x8, integers only. */
#define W1 2841
#define W2 2676
#define W3 2408
#define W5 1609
#define W6 1108
#define W7 565
#define CONST_BITS 11

short int block[64];

int out;

static void fdct_line(short int *p, int step, int shift)
{
  int s0, s1, s2, s3, d0, d1, d2, d3, t0, t1, t2, t3;
  int round = shift > 0 ? 1 << (shift - 1) : 0;

  s0 = p[0] + p[7 * step];
  d0 = p[0] - p[7 * step];
  s1 = p[1 * step] + p[6 * step];
  d1 = p[1 * step] - p[6 * step];
  s2 = p[2 * step] + p[5 * step];
  d2 = p[2 * step] - p[5 * step];
  s3 = p[3 * step] + p[4 * step];
  d3 = p[3 * step] - p[4 * step];

  t0 = s0 + s3;
  t3 = s0 - s3;
  t1 = s1 + s2;
  t2 = s1 - s2;

  p[0] = (short)((((t0 + t1) << CONST_BITS) + round) >> shift);
  p[4 * step] = (short)((((t0 - t1) << CONST_BITS) + round) >> shift);
  p[2 * step] = (short)((t3 * W2 + t2 * W6 + round) >> shift);
  p[6 * step] = (short)((t3 * W6 - t2 * W2 + round) >> shift);
  p[1 * step] = (short)((d0 * W1 + d1 * W3 + d2 * W5 + d3 * W7 + round) >> shift);
  p[3 * step] = (short)((d0 * W3 - d1 * W7 - d2 * W1 - d3 * W5 + round) >> shift);
  p[5 * step] = (short)((d0 * W5 - d1 * W1 + d2 * W7 + d3 * W3 + round) >> shift);
  p[7 * step] = (short)((d0 * W7 - d1 * W5 + d2 * W3 - d3 * W1 + round) >> shift);
}

void fdct(short int *blk, int lx)
{
  int i;

  for (i = 0; i < 8; i++)
    fdct_line(blk + i * lx, 1, 9);
  for (i = 0; i < 8; i++)
    fdct_line(blk + i, lx, 15);
}

void quantize(short int *blk, int q)
{
  int i, v, neg;

  for (i = 0; i < 64; i++) {
    v = blk[i];
    neg = 0;
    if (v < 0) {
      neg = 1;
      v = -v;
    }
    v = (v + (q >> 1)) / q;
    blk[i] = neg ? -v : v;
  }
}

void checker_board(void)
{
  int i;

  for (i = 0; i < 64; i++)
    block[i] = ((i >> 3) + i) & 1 ? 200 - i : 30 + i;
}

int main()
{
  checker_board();
  fdct(block, 8);
  quantize(block, 16);
  out = block[0];
  return block[0];
}
