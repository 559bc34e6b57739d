/* What the probes, the units of the user and the runtime of a test share; only builtin types. */
#define PCT_UNDEFINED 2 /* C does not define the value: the predicate counts as false */
#define PCT_UNKNOWN 3   /* not observed here, or not readable */

extern void *__pct_globals[PCT_GLOBALS + 1];
extern void *__pct_functions[PCT_FUNCTIONS + 1];
void __pct_register(void);
void __pct_call(void);
int __pct_load(const void *, void *, unsigned long);
int __pct_same_object(const void *, const void *);
int __pct_inside(const void *, unsigned long);
void __pct_record(unsigned, const unsigned char *);
void __pct_answer(int, int, void *, unsigned long);
void __pct_exit(int);
void __pct_unrunnable(const char *);
