// A condition with remainders.
//pct inputs: unsigned char year
//pct points: labels
//pct overflow: assume
//pct predicate: y % 4 == 0
//pct predicate: y % 100 == 0
//pct predicate: days == 366
#include "probes.h"

int f(unsigned char year) {
  int y = 1900 + year, days = 365;
Start: OBS(Start)
  if ((y % 4 == 0 && y % 100 != 0) || y % 400 == 0)
    days++;
End: OBS(End)
  return days;
}
