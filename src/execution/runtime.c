/* What stands around the function of the user in a test: it lays out the inputs, calls the function, and keeps what the
 * probes observe in a file that it maps into memory.
 *
 *   test INPUTS RESULTS MEGABYTES BYTES_OF_OUTPUT
 *
 * `watch.c` starts it. This file is compiled without sanitizers, so that probes can read what the function may not. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include "results.h"
#include "runtime.h"

/* Not there without AddressSanitizer. */
__attribute__((weak)) void __asan_poison_memory_region(void const volatile *, size_t);
__attribute__((weak)) void *__asan_region_is_poisoned(void *, size_t);

enum { ZONE = 1 << 16 };

static struct results *results;
static size_t results_size, record_size;
static pid_t own;
static int armed;

/* The library's function would complain of memory that the function may not read. */
static void copy(void *to, const void *from, size_t size) {
  volatile unsigned char *target = to;
  const volatile unsigned char *source = from;
  for (size_t i = 0; i < size; i++)
    target[i] = source[i];
}

static void say(uint32_t end, uint32_t value, uint32_t file, const char *message) {
  if (!results || getpid() != own)
    return;
  mprotect(results, results_size, PROT_READ | PROT_WRITE);
  results->end_value = value;
  results->end_file = file;
  strncpy(results->message, message, sizeof results->message - 1);
  __sync_synchronize();
  results->end = end;
  mprotect(results, results_size, PROT_READ);
}

static void stop(uint32_t end, uint32_t value, uint32_t file, const char *message) {
  say(end, value, file, message);
  _exit(0);
}

void __pct_assume(int condition) {
  if (!condition)
    stop(ASSUMED, 0, 0, "");
}

void __pct_fail(int file, int line) { stop(FAILED, line, file, ""); }

void __pct_assert(int condition, int file, int line) {
  if (!condition)
    stop(ASSERTION, line, file, "");
}

void __pct_exit(int code) { stop(EXITED, code, 0, ""); }

void __pct_unrunnable(const char *why) { stop(UNRUNNABLE, 0, 0, why); }

int __pct_enter(void) {
  int first = armed;
  armed = 0;
  return first;
}

/* Inputs. */

struct object {
  unsigned char *start, *end; /* everything that is laid out */
  unsigned char *zero;        /* element 0 */
  uint64_t before, length, size;
  int freed;
};
struct stretch {
  uint64_t id, size;
  unsigned char *bytes;
  uint64_t name;
};
static struct object *objects;
static struct stretch *variables, *answers;
static uint64_t object_count, variable_count, answer_count, next_answer;

static uint64_t *cursor;
static uint64_t number(void) { return *cursor++; }
static unsigned char *bytes(uint64_t size) {
  unsigned char *start = (unsigned char *)cursor;
  cursor += (size + 7) / 8;
  return start;
}

static void write_address(unsigned char *place, void *address) { memcpy(place, &address, sizeof address); }

static struct stretch *variable(uint64_t id) {
  for (uint64_t i = 0; i < variable_count; i++)
    if (variables[i].id == id)
      return &variables[i];
  return 0;
}

static void read_inputs(const char *path) {
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &status) < 0)
    _exit(127);
  cursor = mmap(0, status.st_size + 8, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  close(file);
  if (cursor == MAP_FAILED)
    _exit(127);
  object_count = number();
  objects = calloc(object_count + 1, sizeof *objects);
  for (uint64_t i = 0; i < object_count; i++) {
    struct object *o = &objects[i];
    o->before = number();
    o->length = number();
    o->size = number();
    unsigned char *image = bytes(o->size);
    uint64_t front = ZONE + (o->before + 15) / 16 * 16;
    uint64_t total = (front - o->before + o->size + ZONE + 4095) / 4096 * 4096;
    unsigned char *room = mmap(0, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
      _exit(127);
    o->zero = room + front;
    o->start = o->zero - o->before;
    o->end = o->start + o->size;
    memcpy(o->start, image, o->size);
    if (__asan_poison_memory_region) {
      unsigned char *last = o->length == UINT64_MAX ? o->end : o->zero + o->length;
      unsigned char *first = o->length == UINT64_MAX ? o->start : o->zero;
      __asan_poison_memory_region(room, first - room);
      __asan_poison_memory_region(last, room + total - last);
    }
  }
  variable_count = number();
  variables = calloc(variable_count + 1, sizeof *variables);
  for (uint64_t i = 0; i < variable_count; i++) {
    variables[i].id = number();
    variables[i].size = number();
    variables[i].bytes = bytes(variables[i].size);
  }
  answer_count = number();
  answers = calloc(answer_count + 1, sizeof *answers);
  for (uint64_t i = 0; i < answer_count; i++) {
    answers[i].id = number();
    answers[i].name = number();
    answers[i].size = number();
    answers[i].bytes = bytes(answers[i].size);
  }
  for (uint64_t left = number(); left; left--) {
    uint64_t kind = number(), index = number(), place = number();
    uint64_t target = number(), which = number(), offset = number();
    unsigned char *start = kind == 0 ? objects[index].start : kind == 1 ? variables[index].bytes : answers[index].bytes;
    unsigned char *address = target == 0   ? objects[which].zero
                             : target == 1 ? (unsigned char *)__pct_globals[which]
                                           : (unsigned char *)__pct_functions[which];
    if (!address)
      __pct_unrunnable("a pointer of the inputs points to a variable that has no address yet");
    write_address(start + place, address + offset);
  }
}

void __pct_parameter(int id, void *place, unsigned long size) {
  struct stretch *value = variable(id);
  memset(place, 0, size);
  if (value)
    memcpy(place, value->bytes, value->size < size ? value->size : size);
}

void __pct_static(int id, void *place, unsigned long size) {
  if (__pct_globals[id] || getpid() != own)
    return;
  __pct_globals[id] = place;
  struct stretch *value = variable(id);
  if (value)
    memcpy(place, value->bytes, value->size < size ? value->size : size);
}

static struct stretch *ask(uint64_t source, uint64_t name) {
  for (uint64_t i = next_answer; i < answer_count; i++)
    if (answers[i].id == source && (source || answers[i].name == name)) {
      next_answer = i + 1;
      return &answers[i];
    }
  return 0;
}

void __pct_answer(int source, int name, void *place, unsigned long size) {
  struct stretch *answer = ask(source, name);
  memset(place, 0, size);
  if (answer)
    memcpy(place, answer->bytes, answer->size < size ? answer->size : size);
}

static int no_memory(void) {
  unsigned char none = 0;
  __pct_answer(2, 0, &none, 1);
  return none;
}

void *__pct_malloc(unsigned long size) { return no_memory() ? 0 : malloc(size); }
void *__pct_calloc(unsigned long count, unsigned long size) { return no_memory() ? 0 : calloc(count, size); }

static struct object *object_of(const void *address);

/* The objects of the test come from elsewhere: they end by not being accessible any more. */
void __pct_free(void *old) {
  struct object *o = object_of(old);
  if (!o || old != o->zero || o->freed) {
    free(old);
    return;
  }
  o->freed = 1;
  if (__asan_poison_memory_region)
    __asan_poison_memory_region(o->start, o->size);
}

void *__pct_realloc(void *old, unsigned long size) {
  if (no_memory())
    return 0;
  struct object *o = object_of(old);
  if (!o || old != o->zero || o->freed)
    return realloc(old, size);
  uint64_t length = o->length == UINT64_MAX ? o->size - o->before : o->length;
  if (size <= length)
    return old;
  void *fresh = malloc(size);
  if (fresh) {
    memcpy(fresh, old, length);
    __pct_free(old);
  }
  return fresh;
}

void *__pct_volatile(unsigned long size) {
  static unsigned char places[64][64] __attribute__((aligned(16)));
  static unsigned next;
  unsigned char *place = places[next++ % 64];
  __pct_answer(1, 0, place, size < 64 ? size : 64);
  return place;
}

/* Probes. */

static int can_read(const void *from, void *to, size_t size) {
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

static struct object *object_of(const void *address) {
  const unsigned char *at = address;
  for (uint64_t i = 0; i < object_count; i++)
    if (at >= objects[i].start - ZONE / 2 && at <= objects[i].end + ZONE / 2)
      return &objects[i];
  return 0;
}

int __pct_load(const void *from, void *to, unsigned long size) {
  if ((uintptr_t)from < 4096)
    return PCT_UNDEFINED;
  struct object *o = object_of(from);
  if (o) {
    const unsigned char *at = from;
    if (o->freed || at < o->start || at + size > o->end)
      return PCT_UNKNOWN;
    copy(to, from, size);
    return 0;
  }
  if (__asan_region_is_poisoned && __asan_region_is_poisoned((void *)from, size))
    return PCT_UNKNOWN;
  return can_read(from, to, size) ? 0 : PCT_UNKNOWN;
}

int __pct_same_object(const void *a, const void *b) {
  struct object *x = object_of(a), *y = object_of(b);
  return x == y && !a == !b;
}

int __pct_inside(const void *pointer, unsigned long size) {
  if ((uintptr_t)pointer < 4096)
    return 0;
  struct object *o = object_of(pointer);
  const unsigned char *at = pointer;
  if (o && o->length != UINT64_MAX)
    return at >= o->zero && at + size <= o->zero + o->length;
  if (o)
    return at >= o->start && at + size <= o->end;
  if (__asan_region_is_poisoned)
    return !__asan_region_is_poisoned((void *)pointer, size);
  return PCT_UNKNOWN;
}

static uint64_t hash(const unsigned char *record) {
  uint64_t value = 14695981039346656037u;
  for (size_t i = 0; i < record_size; i++)
    value = (value ^ record[i]) * 1099511628211u;
  return value ^ value >> 29;
}

void __pct_record(unsigned point, const unsigned char *values) {
  if (getpid() != own)
    return;
  unsigned char record[4 + (PCT_PREDICATES + 3) / 4];
  memset(record, 0, sizeof record);
  memcpy(record, &point, 4);
  for (int i = 0; i < PCT_PREDICATES; i++)
    record[4 + i / 4] |= values[i] << i % 4 * 2;
  unsigned char *table = results->data + TRACE * record_size;
  uint64_t slot = hash(record) % SLOTS;
  unsigned char *found = table + slot * (record_size + 1);
  while (*found && memcmp(found + 1, record, record_size)) {
    slot = (slot + 1) % SLOTS;
    found = table + slot * (record_size + 1);
  }
  if (*found && results->observed >= TRACE)
    return;
  int saved = errno;
  mprotect(results, results_size, PROT_READ | PROT_WRITE);
  if (results->observed < TRACE)
    memcpy(results->data + results->observed * record_size, record, record_size);
  results->observed++;
  if (!*found) {
    if (results->distinct < SLOTS / 2) {
      memcpy(found + 1, record, record_size);
      *found = 1;
      results->distinct++;
    } else {
      results->overflown = 1;
    }
  }
  mprotect(results, results_size, PROT_READ);
  errno = saved;
}

/* The number of kilobytes of address space. */
static uint64_t address_space(void) {
  char text[128];
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0)
    close(file);
  text[size > 0 ? size : 0] = 0;
  return strtoull(text, 0, 10) * (sysconf(_SC_PAGESIZE) / 1024);
}

static void set_globals(void) {
  for (uint64_t i = 0; i < variable_count; i++)
    if (variables[i].id < PCT_GLOBALS && __pct_globals[variables[i].id])
      memcpy(__pct_globals[variables[i].id], variables[i].bytes, variables[i].size);
}

static void limit(int what, rlim_t value) {
  struct rlimit both = {value, value};
  setrlimit(what, &both);
}

int main(int count, char **arguments) {
  if (count != 5)
    return 127;
  own = getpid();
  record_size = 4 + (PCT_PREDICATES + 3) / 4;
  results_size = sizeof *results + TRACE * record_size + SLOTS * (record_size + 1);
  int file = open(arguments[2], O_RDWR | O_CLOEXEC);
  if (file < 0 || ftruncate(file, results_size))
    return 127;
  results = mmap(0, results_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (results == MAP_FAILED)
    return 127;
  close(file);
  results->record = record_size;
  __pct_register();
  read_inputs(arguments[1]);
  set_globals();
  /* The file with the results is larger than what the function may write. */
  limit(RLIMIT_FSIZE, strtoull(arguments[4], 0, 10));
  if (!__asan_region_is_poisoned)
    limit(RLIMIT_AS, strtoull(arguments[3], 0, 10) << 20);
  results->kilobytes = address_space();
  mprotect(results, results_size, PROT_READ);
  armed = 1;
  __pct_call();
  stop(RETURNED, 0, 0, "");
}
