// Character constants with escapes; classification of a character.
//pct inputs: char c
//pct points: statements
//pct overflow: assume
//pct predicate: c >= '0' && c <= '9'
//pct predicate: c == '\n'
//pct predicate: kind == 2
#include "probes.h"

int f(char c) {
  int kind = 0;
  if (OBSX(1) c >= 'a' && (OBSX(2) c <= 'z')) {
    OBS(1) kind = 1;
    OBS(1) c = c - 'a' + 'A';
  } else if (OBSX(1) c >= '0' && (OBSX(2) c <= '\x39')) {
    OBS(1) kind = 2;
    OBS(1) c -= '0';
  } else if (OBSX(1) c == '\n' || (OBSX(2) c == '\t') || (OBSX(3) c == '\0') || (OBSX(4) c == '\'')) {
    OBS(1) kind = 3;
  } else if (OBSX(1) c < 0) {
    OBS(1) kind = '\377';
  }
  OBS(1) return kind;
}
