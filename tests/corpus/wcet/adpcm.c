/* WCET style: adaptive differential coding of samples into four bits, and back; everything global. */
#define BLOCK 40
#define STEPS 24

static int step_size[STEPS];
static const signed char step_move[8] = { -1, -1, -1, 0, 1, 2, 3, 4 };

short speech[BLOCK], decoded[BLOCK];
unsigned char packed[BLOCK / 2];
int enc_predicted, enc_index, dec_predicted, dec_index;
long error_sum;

static void make_steps(void)
{
  int i, s = 8;

  for (i = 0; i < STEPS; i++) {
    step_size[i] = s;
    s += s / 3 + 1;
  }
}

static int limit_index(int i)
{
  if (i < 0)
    i = 0;
  else if (i >= STEPS)
    i = STEPS - 1;
  return i;
}

static int limit_sample(int v)
{
  return v > 32767 ? 32767 : v < -32768 ? -32768 : v;
}

static int expand(int code, int step)
{
  int difference = step >> 3;

  if (code & 4)
    difference += step;
  if (code & 2)
    difference += step >> 1;
  if (code & 1)
    difference += step >> 2;
  return code & 8 ? -difference : difference;
}

int encode_sample(int sample)
{
  int step = step_size[enc_index];
  int distance = sample - enc_predicted;
  int code = 0;

  if (distance < 0) {
    code = 8;
    distance = -distance;
  }
  if (distance >= step) {
    code |= 4;
    distance -= step;
  }
  if (distance >= step >> 1) {
    code |= 2;
    distance -= step >> 1;
  }
  if (distance >= step >> 2)
    code |= 1;
  enc_predicted = limit_sample(enc_predicted + expand(code, step));
  enc_index = limit_index(enc_index + step_move[code & 7]);
  return code;
}

int decode_sample(int code)
{
  dec_predicted = limit_sample(dec_predicted + expand(code, step_size[dec_index]));
  dec_index = limit_index(dec_index + step_move[code & 7]);
  return dec_predicted;
}

void encode_block(void)
{
  int i, code;

  for (i = 0; i < BLOCK; i++) {
    code = encode_sample(speech[i]);
    if (i & 1)
      packed[i >> 1] |= (unsigned char)(code << 4);
    else
      packed[i >> 1] = (unsigned char)code;
  }
}

void decode_block(void)
{
  int i, code;

  for (i = 0; i < BLOCK; i++) {
    code = packed[i / 2];
    if (i % 2 != 0)
      code >>= 4;
    decoded[i] = (short)decode_sample(code & 15);
  }
}

int main()
{
  int i, d;

  make_steps();
  enc_predicted = enc_index = dec_predicted = dec_index = 0;
  for (i = 0; i < BLOCK; i++)
    speech[i] = (short)((i % 10 - 5) * (i % 10 - 5) * 50 - 400);
  encode_block();
  decode_block();
  for (i = 0; i < BLOCK; i++) {
    d = speech[i] - decoded[i];
    error_sum += d < 0 ? -d : d;
  }
  return error_sum > 100000L || enc_index != dec_index;
}
