/* WCET style: a dictionary compressor whose phrases form a trie in arrays; codes are written with growing width. */
#define FIRST_WIDTH 9
#define LAST_WIDTH 12
#define PHRASES (1 << LAST_WIDTH)
#define RESET_CODE 256
#define FIRST_PHRASE 257
#define SOURCE_SIZE 200
#define NONE 0

unsigned short first_child[PHRASES], next_sibling[PHRASES];
unsigned char last_char[PHRASES];
int phrases, width;
unsigned char source[SOURCE_SIZE], packed[SOURCE_SIZE * 2];
int source_pos, packed_pos;
unsigned long bit_store;
int bits_stored;
int resets;

int next_char()
{
  if (source_pos >= SOURCE_SIZE)
    return -1;
  return source[source_pos++];
}

void put_bits(code)
     int code;
{
  bit_store |= (unsigned long)code << bits_stored;
  bits_stored += width;
  while (bits_stored >= 8) {
    packed[packed_pos++] = (unsigned char)(bit_store & 0xFF);
    bit_store >>= 8;
    bits_stored -= 8;
  }
}

void flush_bits()
{
  if (bits_stored > 0)
    packed[packed_pos++] = (unsigned char)bit_store;
  bit_store = 0;
  bits_stored = 0;
}

void forget_phrases()
{
  register int i;

  for (i = 0; i < PHRASES; i++)
    first_child[i] = next_sibling[i] = NONE;
  phrases = FIRST_PHRASE;
  width = FIRST_WIDTH;
}

int find_child(parent, c)
     int parent, c;
{
  register unsigned short k;

  for (k = first_child[parent]; k != NONE; k = next_sibling[k])
    if (last_char[k] == c)
      return k;
  return NONE;
}

void add_child(parent, c)
     int parent, c;
{
  if (phrases == PHRASES) {
    put_bits(RESET_CODE);
    forget_phrases();
    resets++;
    return;
  }
  last_char[phrases] = (unsigned char)c;
  next_sibling[phrases] = first_child[parent];
  first_child[parent] = (unsigned short)phrases;
  if (phrases >= 1 << width && width < LAST_WIDTH)
    width++;
  phrases++;
}

int compress()
{
  int phrase, c, child;

  forget_phrases();
  if ((phrase = next_char()) < 0)
    return 0;
again:
  if ((c = next_char()) < 0)
    goto done;
  child = find_child(phrase, c);
  if (child != NONE) {
    phrase = child;
    goto again;
  }
  put_bits(phrase);
  add_child(phrase, c);
  phrase = c;
  goto again;
done:
  put_bits(phrase);
  flush_bits();
  return packed_pos;
}

int main()
{
  int i, n;

  for (i = 0; i < SOURCE_SIZE; i++)
    source[i] = (unsigned char)("abracadabra "[i % 12] + (i % 31 == 0));
  n = compress();
  return n <= 0 || n > SOURCE_SIZE;
}
