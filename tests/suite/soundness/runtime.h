/* Probes of the native harness, included before every program that is run (see native.rs).
 *
 * A program is compiled twice. With PCT_COUNT a probe only counts: that build carries the sanitizers and finds out
 * after how many observations a run ends, and how. Without PCT_COUNT a probe evaluates the predicates: that build
 * wraps on overflow and is stopped after as many observations as the first one made. So undefined behaviour of the
 * program cuts a run, while a predicate that overflows wraps, as pct defines it. */

struct pct_site {
  const char *name;    /* a point's name, or the number k of the k-th point on this line */
  int line;
  const char *visible; /* one character per predicate, '_' where it is not observed */
  struct pct_site *next;
  int listed;
  unsigned char seen[256];
};

struct pct_program {
  void (*run)(unsigned long input);
  unsigned long inputs;
};

void pct_count(void);
void pct_observe(struct pct_site *site, unsigned value);

#ifdef PCT_COUNT
#define PCT_AT(name, visible, value) pct_count()
#else
#define PCT_AT(name, visible, value)                                                                                   \
  ({                                                                                                                   \
    static struct pct_site pct_here = {name, __LINE__, visible, 0, 0, {0}};                                            \
    pct_observe(&pct_here, (value));                                                                                   \
  })
#endif

#define assume pct_assume
#define abort pct_abort
#define exit pct_exit
