/* What probes do in a program of the user's: they keep what they see in a file that all processes of the program map
 * into memory, so that nothing is lost when one of them is killed.
 *
 * pct compiles this file and the probes to assembly, without the user's options, and each instrumented file includes it.
 * So everything is weak: of several copies in one program, one counts. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include "runtime.h"

#define WEAK __attribute__((weak))

/* Not there without AddressSanitizer. */
WEAK void *__asan_region_is_poisoned(void *, size_t);

enum { RECORD = 4 + (PCT_PREDICATES + 3) / 4, SLOTS = 1 << 17 };
enum { EMPTY, FULL, BUSY };

/* The file that pct (measure.rs) reads. */
struct log {
  uint64_t starts;      /* how many processes began to run */
  uint64_t calls;       /* how often the function was called, not counting calls by itself */
  uint32_t distinct;    /* how many observations are in the table */
  uint32_t overflown;   /* the table was full */
  unsigned char data[]; /* SLOTS records with one byte before each */
};

WEAK struct log *__pct_log;
/* The frame of the outermost call of the function in this thread. */
WEAK __thread char *__pct_owner;
/* An assumption does not hold in this call, or it has failed: what it does now does not count. */
WEAK __thread int __pct_silent;

WEAK void __pct_start(void) {
  if (__pct_log)
    return;
  int saved = errno;
  int file = open(PCT_LOG, O_RDWR | O_CLOEXEC);
  if (file >= 0) {
    struct log *map =
        mmap(0, sizeof(struct log) + SLOTS * (RECORD + 1), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) {
      __atomic_add_fetch(&map->starts, 1, __ATOMIC_RELAXED);
      __pct_log = map;
    }
    close(file);
  }
  errno = saved;
}

WEAK int __pct_enter(void) {
  char *frame = __builtin_frame_address(0);
  /* A frame that lies higher belongs to a later call: a jump left the one before. */
  if (__pct_owner && frame < __pct_owner)
    return 0;
  __pct_owner = frame;
  __pct_silent = 0;
  __pct_start();
  if (__pct_log)
    __atomic_add_fetch(&__pct_log->calls, 1, __ATOMIC_RELAXED);
  return 1;
}

WEAK void __pct_leave(int *own) {
  if (*own)
    __pct_owner = 0;
}

WEAK void __pct_over(void) { __pct_silent = 1; }

WEAK int __pct_held(int condition) {
  if (!condition)
    __pct_silent = 1;
  return condition;
}

WEAK void __pct_static(int id, const volatile void *place, unsigned long size) { __pct_globals[id] = (void *)place; }

static int __pct_can_read(const void *from, void *to, size_t size) {
  struct iovec source = {(void *)from, size}, target = {to, size};
  ssize_t done = process_vm_readv(getpid(), &target, 1, &source, 1, 0);
  if (done >= 0 || (errno != ENOSYS && errno != EPERM))
    return done == (ssize_t)size;
  int ends[2];
  if (pipe(ends))
    return 0;
  int fits = write(ends[1], from, size) == (ssize_t)size && read(ends[0], to, size) == (ssize_t)size;
  close(ends[0]);
  close(ends[1]);
  return fits;
}

WEAK int __pct_load(const void *from, void *to, unsigned long size) {
  if ((uintptr_t)from < 4096)
    return PCT_UNDEFINED;
  if (__asan_region_is_poisoned && __asan_region_is_poisoned((void *)from, size))
    return PCT_UNKNOWN;
  int saved = errno;
  int fits = __pct_can_read(from, to, size);
  errno = saved;
  return fits ? 0 : PCT_UNKNOWN;
}

WEAK int __pct_same_object(const void *a, const void *b) { return !a == !b; }

WEAK int __pct_inside(const void *pointer, unsigned long size) {
  if ((uintptr_t)pointer < 4096)
    return 0;
  if (__asan_region_is_poisoned)
    return !__asan_region_is_poisoned((void *)pointer, size);
  return PCT_UNKNOWN;
}

WEAK void __pct_record(unsigned point, const unsigned char *values) {
  __pct_start();
  if (__pct_silent || !__pct_log)
    return;
  unsigned char record[RECORD];
  memset(record, 0, sizeof record);
  memcpy(record, &point, 4);
  for (int i = 0; i < PCT_PREDICATES; i++)
    record[4 + i / 4] |= values[i] << i % 4 * 2;
  uint64_t slot = 14695981039346656037u;
  for (int i = 0; i < RECORD; i++)
    slot = (slot ^ record[i]) * 1099511628211u;
  slot ^= slot >> 29;
  for (uint64_t tried = 0; tried < SLOTS;) {
    unsigned char *place = __pct_log->data + (slot + tried) % SLOTS * (RECORD + 1);
    unsigned char state = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (state == FULL && !memcmp(place + 1, record, RECORD))
      return;
    if (state != EMPTY) {
      /* What another process is writing there may be the same: then it stands there twice. */
      tried++;
      continue;
    }
    if (__atomic_load_n(&__pct_log->distinct, __ATOMIC_RELAXED) >= SLOTS / 2)
      break;
    if (__atomic_compare_exchange_n(place, &state, BUSY, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      memcpy(place + 1, record, RECORD);
      __atomic_store_n(place, FULL, __ATOMIC_RELEASE);
      __atomic_add_fetch(&__pct_log->distinct, 1, __ATOMIC_RELAXED);
      return;
    }
  }
  __pct_log->overflown = 1;
}
