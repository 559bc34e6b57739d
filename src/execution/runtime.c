/* What stands around the function of the user in a test: it lays out the inputs, calls the function in a child process
 * that has limits, and keeps what the probes observe in a file that both processes map.
 *
 *   program INPUTS RESULTS FOLDER OUTPUT SECONDS MILLISECONDS MEGABYTES BYTES_OF_OUTPUT
 *
 * The first process watches: time, memory, the number of processes, and its standard input, which is closed when pct
 * is gone. Whatever the child started ends with it, since orphans become children of the watching process. This file
 * is compiled without sanitizers, so that probes can read what the function may not. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "runtime.h"

/* Not there without AddressSanitizer. */
__attribute__((weak)) void __asan_poison_memory_region(void const volatile *, size_t);
__attribute__((weak)) void *__asan_region_is_poisoned(void *, size_t);

enum { TRACE = 65536, SLOTS = 1 << 17, MOST_PROCESSES = 64, ZONE = 1 << 16 };

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
  uint64_t kilobytes;
  char message[256];
  unsigned char data[]; /* TRACE records, then SLOTS records with one byte before each: whether it is there */
};

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
void *__pct_realloc(void *old, unsigned long size) { return no_memory() ? 0 : realloc(old, size); }

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
    if (at < o->start || at + size > o->end)
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

/* The watching process. */

static void limit(int what, rlim_t value) {
  struct rlimit both = {value, value};
  setrlimit(what, &both);
}

static pid_t children[4096];
static int child_count;

/* The processes below `parent`, from the tables of the system. */
static void descend(pid_t parent) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  text[size > 0 ? size : 0] = 0;
  char *at = text, *end;
  for (long id; (id = strtol(at, &end, 10)), end != at; at = end)
    if (child_count < 4096) {
      children[child_count++] = id;
      descend(id);
    }
}

static void list_children(void) {
  child_count = 0;
  descend(getpid());
}

static long megabytes(void) {
  long sum = 0;
  for (int i = 0; i < child_count; i++) {
    char path[64], text[128];
    snprintf(path, sizeof path, "/proc/%d/statm", children[i]);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
      continue;
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    text[size > 0 ? size : 0] = 0;
    long all = 0, resident = 0;
    sscanf(text, "%ld %ld", &all, &resident);
    sum += resident * (sysconf(_SC_PAGESIZE) / 1024) / 1024;
  }
  return sum;
}

static void end_everything(void) {
  for (;;) {
    list_children();
    for (int i = 0; i < child_count; i++)
      kill(children[i], SIGKILL);
    pid_t gone;
    while ((gone = waitpid(-1, 0, WNOHANG)) > 0)
      ;
    if (gone < 0 && errno == ECHILD)
      return;
    poll(0, 0, 1);
  }
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000ull + time.tv_nsec / 1000;
}

static void child(char **arguments) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  own = getpid();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, atoi(arguments[5]));
  limit(RLIMIT_FSIZE, atoll(arguments[8]));
  limit(RLIMIT_STACK, 8 << 20);
  if (!__asan_region_is_poisoned)
    limit(RLIMIT_AS, (rlim_t)atoll(arguments[7]) << 20);
  signal(SIGXFSZ, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  int null = open("/dev/null", O_RDONLY);
  int output = open(arguments[4], O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (null < 0 || output < 0)
    _exit(127);
  dup2(null, 0);
  dup2(output, 1);
  dup2(output, 2);
  for (int file = 3; file < 64; file++)
    close(file);
  __pct_register();
  read_inputs(arguments[1]);
  if (chdir(arguments[3]))
    _exit(127);
  __pct_set_globals(variable_count);
  mprotect(results, results_size, PROT_READ);
  armed = 1;
  __pct_call();
  stop(RETURNED, 0, 0, "");
}

void __pct_set_globals(unsigned long count) {
  for (uint64_t i = 0; i < count; i++)
    if (variables[i].id < PCT_GLOBALS && __pct_globals[variables[i].id])
      memcpy(__pct_globals[variables[i].id], variables[i].bytes, variables[i].size);
}

int main(int count, char **arguments) {
  if (count != 9)
    return 127;
  record_size = 4 + (PCT_PREDICATES + 3) / 4;
  results_size = sizeof *results + TRACE * record_size + SLOTS * (record_size + 1);
  int file = open(arguments[2], O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, results_size))
    return 127;
  results = mmap(0, results_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (results == MAP_FAILED)
    return 127;
  close(file);
  results->magic = 0x706374;
  results->record = record_size;
  setsid();
  signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  uint64_t start = now();
  pid_t test = fork();
  if (test < 0)
    return 127;
  if (test == 0)
    child(arguments);
  uint64_t deadline = start + 1000ull * atoll(arguments[6]);
  long most = 0;
  int status = 0, pause = 0;
  for (uint64_t looked = start;;) {
    pid_t gone = waitpid(test, &status, WNOHANG);
    if (gone == test || gone < 0)
      break;
    uint64_t time = now();
    if (time > deadline) {
      results->stopped = TIMED_OUT;
      break;
    }
    if (time - looked > 5000) {
      looked = time;
      list_children();
      long used = megabytes();
      most = used > most ? used : most;
      if (used > atol(arguments[7]))
        results->stopped = TOO_MUCH_MEMORY;
      if (child_count > MOST_PROCESSES)
        results->stopped = TOO_MANY_PROCESSES;
      if (results->stopped)
        break;
    }
    struct pollfd parent = {0, POLLIN, 0};
    pause = pause < 5 ? pause + 1 : 5;
    if (poll(&parent, 1, pause) > 0)
      break;
  }
  results->status = status;
  results->microseconds = now() - start;
  results->kilobytes = most * 1024;
  end_everything();
  return 0;
}
