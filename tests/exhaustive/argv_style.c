// An array of strings that ends with a null pointer.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: *v != 0
//pct predicate: v == list + 1
//pct predicate: n > 1
#include "probes.h"

int f(unsigned char x) {
  const char *list[4] = {"-v", "file", "-x", 0};
  const char **v = list;
  int n = 0;
  if (x & 1)
    list[1] = "-";
  if (x & 2)
    list[2] = 0;
Loop:
  for (; OBSX(Loop) *v; v++)
    if (**v == '-' && (*v)[1])
      n++;
End: OBS(End)
  return n;
}
