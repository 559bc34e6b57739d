/* WCET style: a CRC of 32 bits with a table that the first call builds; the same bit by bit, to compare. */
#define POLYNOMIAL 0xEDB88320ul
#define TEXT_LENGTH 44

typedef unsigned int word32;

word32 crc_table[256];
int table_ready;
char text[TEXT_LENGTH + 5] = "every packet carries its own proof of health";

static word32 shift_right(word32 value)
{
  return value & 1 ? (value >> 1) ^ POLYNOMIAL : value >> 1;
}

static void build_table(void)
{
  word32 entry;
  int i, k;

  for (i = 0; i < 256; i++) {
    entry = i;
    for (k = 0; k < 8; k++)
      entry = shift_right(entry);
    crc_table[i] = entry;
  }
  table_ready = 1;
}

word32 crc_by_table(char *p, int n)
{
  word32 crc = 0xFFFFFFFFu;

  if (!table_ready)
    build_table();
  while (n--)
    crc = (crc >> 8) ^ crc_table[(crc ^ *p++) & 0xFF];
  return ~crc;
}

word32 crc_by_bits(char *p, int n)
{
  word32 crc = 0xFFFFFFFFu;
  int i, k;

  for (i = 0; i < n; i++) {
    crc ^= p[i] & 0xFF;
    for (k = 8; k; --k)
      crc = shift_right(crc);
  }
  return ~crc;
}

void append(char *p, word32 crc)
{
  int k;

  for (k = 0; k < 4; k++, crc >>= 8)
    p[k] = (char)(crc & 0xFF);
}

int main(void)
{
  word32 a = crc_by_table(text, TEXT_LENGTH);
  word32 b = crc_by_bits(text, TEXT_LENGTH);

  append(text + TEXT_LENGTH, a);
  if (a != b)
    return 1;
  return crc_by_table(text, TEXT_LENGTH + 4) == 0x2144DF1Cu ? 0 : 2;
}
