/* The file that a test, the process that watches it and pct (run.rs) share. */
#include <stdint.h>

enum { TRACE = 65536, SLOTS = 1 << 17 };

/* How the child ended, as far as it says so itself. */
enum { RUNNING, RETURNED, EXITED, ASSUMED, FAILED, ASSERTION, UNRUNNABLE };
/* Why the watching process ended it. */
enum { ON_ITS_OWN, TIMED_OUT, TOO_MUCH_MEMORY, TOO_MANY_PROCESSES, TOO_MUCH_OUTPUT };

struct results {
  uint64_t magic;
  uint32_t record;      /* bytes of one observation */
  uint32_t end;         /* said by the child */
  uint32_t end_value;   /* the exit code, or the line of what failed */
  uint32_t end_file;    /* the number of the file of that line */
  uint32_t stopped;     /* said by the watching process */
  uint32_t status;      /* of wait() */
  uint64_t observed;    /* how many observations were made */
  uint32_t distinct;    /* how many different ones are in the table */
  uint32_t overflown;   /* the table was full */
  uint64_t microseconds;
  uint64_t kilobytes;   /* address space before the function was called */
  char message[256];
  unsigned char data[]; /* TRACE records, then SLOTS records with one byte before each: whether it is there */
};
