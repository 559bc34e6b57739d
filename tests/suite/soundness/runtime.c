/* Runs every input of every program in `pct_programs` (see native.rs and runtime.h).
 *
 * usage: PROGRAM COUNTS CAP
 * The counting build writes to the file COUNTS one word per run: how it ended, and after how many observations; a run
 * that makes CAP observations is taken to diverge. The observing build reads that file, repeats the runs up to there,
 * and prints the states that it saw. */

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PCT_COUNT
#include "runtime.h"
#undef assume
#undef abort
#undef exit

extern const struct pct_program pct_programs[];
extern const int pct_program_count;
extern const int pct_counting;

enum ending { ENDED, UNDEFINED, ASSUMED, DIVERGED, STOPPED };

static sigjmp_buf start_of_run;
static uint32_t observations;
static uint32_t limit;
static struct pct_site *sites;

static void leave(enum ending ending) { siglongjmp(start_of_run, ending + 1); }

static void on_trap(int signal_number) {
  (void)signal_number;
  leave(UNDEFINED);
}

void pct_count(void) {
  if (++observations >= limit)
    leave(DIVERGED);
}

void pct_observe(struct pct_site *site, unsigned value) {
  if (!site->listed) {
    site->listed = 1;
    site->next = sites;
    sites = site;
  }
  site->seen[value] = 1;
  if (++observations >= limit)
    leave(STOPPED);
}

void pct_assume(int condition) {
  if (!condition)
    leave(ASSUMED);
}

void pct_abort(void) { leave(ENDED); }

void pct_exit(int status) {
  (void)status;
  leave(ENDED);
}

void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function) {
  (void)assertion, (void)file, (void)line, (void)function;
  leave(ENDED);
  abort();
}

static enum ending run(const struct pct_program *program, unsigned long input) {
  observations = 0;
  int left = sigsetjmp(start_of_run, 1);
  if (left)
    return left - 1;
  program->run(input);
  return ENDED;
}

static void fail(const char *what) {
  fprintf(stderr, "native harness: %s\n", what);
  exit(2);
}

static void count(FILE *counts, uint32_t cap) {
  for (int p = 0; p < pct_program_count; p++)
    for (unsigned long input = 0; input < pct_programs[p].inputs; input++) {
      limit = cap;
      enum ending ending = run(&pct_programs[p], input);
      uint32_t record = (uint32_t)ending << 28 | observations;
      if (fwrite(&record, sizeof record, 1, counts) != 1)
        fail("cannot write the counts");
    }
}

static void print_states(void) {
  for (struct pct_site *site = sites; site; site = site->next) {
    size_t width = strlen(site->visible);
    for (unsigned value = 0; value < 1u << width; value++) {
      if (!site->seen[value])
        continue;
      if (site->name[0] < '0' || site->name[0] > '9')
        printf("state %s:", site->name);
      else if (strcmp(site->name, "1") == 0)
        printf("state L%d:", site->line);
      else
        printf("state L%d.%s:", site->line, site->name);
      for (size_t i = 0; i < width; i++)
        putchar(site->visible[i] == '_' ? '-' : value >> i & 1 ? 'T' : 'F');
      putchar('\n');
    }
  }
}

static void observe(FILE *counts) {
  for (int p = 0; p < pct_program_count; p++) {
    unsigned long runs[4] = {0};
    sites = 0;
    for (unsigned long input = 0; input < pct_programs[p].inputs; input++) {
      uint32_t record;
      if (fread(&record, sizeof record, 1, counts) != 1)
        fail("cannot read the counts");
      enum ending expected = record >> 28;
      uint32_t expected_observations = record & 0xfffffff;
      if (expected != ENDED && expected_observations == 0)
        continue; /* cut before the first point: no run of the observed system */
      runs[expected]++;
      limit = expected == ENDED ? UINT32_MAX : expected_observations;
      enum ending ending = run(&pct_programs[p], input);
      if (observations != expected_observations || ending != (expected == ENDED ? ENDED : STOPPED))
        fail("the two builds of a program behave differently");
    }
    printf("program %d %lu %lu %lu %lu\n", p, runs[ENDED], runs[UNDEFINED], runs[ASSUMED], runs[DIVERGED]);
    print_states();
  }
}

int main(int argc, char **argv) {
  if (argc != 3)
    fail("usage: PROGRAM COUNTS CAP");
  FILE *counts = fopen(argv[1], pct_counting ? "wb" : "rb");
  if (!counts)
    fail("cannot open the counts");
  signal(SIGILL, on_trap);
  signal(SIGFPE, on_trap);
  alarm(300); /* a loop without any observation would never be cut */
  if (pct_counting)
    count(counts, (uint32_t)strtoul(argv[2], 0, 10));
  else
    observe(counts);
  if (fclose(counts) != 0)
    fail("cannot close the counts");
  return 0;
}
