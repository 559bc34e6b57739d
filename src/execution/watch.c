/* The process that watches a test: time, memory, the number of processes, and its own standard input, which is closed
 * when pct is gone. Whatever the test started ends with it, since orphans become children of this process. No code of
 * the user is in it.
 *
 *   watch TEST INPUTS RESULTS FOLDER OUTPUT SECONDS MILLISECONDS MEGABYTES BYTES_OF_OUTPUT
 *
 * If INPUTS is `-`, the test is a program of the user's, which gets no arguments. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "results.h"

enum { MOST_PROCESSES = 64 };

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

/* The memory of all processes, and the address space that they took since the function was called. */
static long megabytes(uint64_t before) {
  long sum = 0, most = 0;
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
    long page = sysconf(_SC_PAGESIZE) / 1024;
    sum += resident * page / 1024;
    long grown = before ? (all * page - (long)before) / 1024 : 0;
    most = grown > most ? grown : most;
  }
  return sum > most ? sum : most;
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
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, atoi(arguments[6]));
  limit(RLIMIT_STACK, 8 << 20);
  signal(SIGPIPE, SIG_DFL);
  int null = open("/dev/null", O_RDONLY);
  int output = open(arguments[5], O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (null < 0 || output < 0 || chdir(arguments[4]))
    _exit(127);
  dup2(null, 0);
  dup2(output, 1);
  dup2(output, 2);
  for (int file = 3; file < 64; file++)
    close(file);
  if (!strcmp(arguments[2], "-")) {
    limit(RLIMIT_FSIZE, strtoull(arguments[9], 0, 10));
    execl(arguments[1], arguments[1], (char *)0);
    _exit(127);
  }
  execl(arguments[1], "test", arguments[2], arguments[3], arguments[8], arguments[9], (char *)0);
  _exit(127);
}

int main(int count, char **arguments) {
  if (count != 10)
    return 127;
  int file = open(arguments[3], O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, sizeof(struct results)))
    return 127;
  struct results *results = mmap(0, sizeof *results, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (results == MAP_FAILED)
    return 127;
  close(file);
  results->magic = 0x706374;
  setsid();
  signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  uint64_t start = now();
  pid_t test = fork();
  if (test < 0)
    return 127;
  if (test == 0)
    child(arguments);
  uint64_t deadline = start + 1000ull * atoll(arguments[7]);
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
      if (megabytes(results->kilobytes) > atol(arguments[8]))
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
  end_everything();
  return 0;
}
