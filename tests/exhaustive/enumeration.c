// Enumeration constants and variables.
//pct inputs: unsigned char x
//pct points: labels
//pct overflow: assume
//pct predicate: c == RED
//pct predicate: c == BLUE
//pct predicate: c < 0
#include "probes.h"

enum colour { RED, GREEN = 5, BLUE, NONE = -1 };

int f(unsigned char x) {
  int c = x % 8;
Start: OBS(Start)
  switch (c) {
  case RED:
    c = GREEN;
    break;
  case GREEN:
    c = BLUE;
    break;
  case BLUE:
    c = NONE;
  }
Next: OBS(Next)
  if (c != RED && c != GREEN) {
  Other: OBS(Other)
    c = NONE + 1;
  }
End: OBS(End)
  return c;
}
