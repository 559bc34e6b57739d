/* WCET style: a Petri net as a chain of conditions, made by a small script of this project. */
volatile int is_executed;
int P1_marking[8] = { 3, 5, 2, 0, 0, 1, 0, 0 };
int P2_marking[8];
int P3_is_marked, P4_is_marked = 1, P5_is_marked;
int P3_value[3], P4_value[3] = { 7, 1, 2 }, P5_value[3];

int main(void)
{
  int dummy_i = 2;

  while (dummy_i > 0) {
    dummy_i--;
    /* transition 0 */
    if ((P4_is_marked >= 1) && (P3_is_marked + 3 <= 6) && (P1_marking[1] != P4_value[2])) {
      long x, y, z;
      x = P4_value[2];
      y = P1_marking[1];
      z = P5_value[0];
      if ((x > y) && (y < z)) {
        is_executed = 1;
        P4_is_marked -= 1;
        P3_value[P3_is_marked % 3] = x;
        P3_is_marked += 3;
        P2_marking[1] = (int)(z + 1);
      }
    }
    /* transition 1 */
    if ((P5_is_marked >= 1) && (P3_is_marked + 3 <= 6) && (P1_marking[6] != P5_value[0])) {
      long x, y, z;
      x = P5_value[0];
      y = P1_marking[6];
      z = P4_value[1];
      if (x <= y + z) {
        is_executed = 1;
        P5_is_marked -= 1;
        P3_value[P3_is_marked % 3] = x;
        P3_is_marked += 1;
        P2_marking[6] = (int)(z + 9);
      }
    }
    /* transition 2 */
    if ((P4_is_marked >= 1) && (P3_is_marked + 3 <= 6) && (P1_marking[6] != P4_value[0])) {
      long x, y, z;
      x = P4_value[0];
      y = P1_marking[6];
      z = P5_value[2];
      if (x <= y + z) {
        is_executed = 1;
        P4_is_marked -= 1;
        P3_value[P3_is_marked % 3] = x;
        P3_is_marked += 1;
        P2_marking[6] = (int)(z + 9);
      }
    }
    /* transition 3 */
    if ((P3_is_marked >= 2) && (P4_is_marked + 3 <= 7) && (P1_marking[4] != P3_value[0])) {
      long x, y, z;
      x = P3_value[0];
      y = P1_marking[4];
      z = P5_value[2];
      if (x < y) {
        is_executed = 1;
        P3_is_marked -= 2;
        P4_value[P4_is_marked % 3] = x;
        P4_is_marked += 3;
        P2_marking[4] = (int)(z + 4);
      }
    }
    /* transition 4 */
    if ((P4_is_marked >= 4) && (P3_is_marked + 3 <= 9) && (P1_marking[3] != P4_value[2])) {
      long x, y, z;
      x = P4_value[2];
      y = P1_marking[3];
      z = P5_value[0];
      if (x != z) {
        is_executed = 1;
        P4_is_marked -= 4;
        P3_value[P3_is_marked % 3] = x;
        P3_is_marked += 2;
        P2_marking[3] = (int)(z + 8);
      }
    }
    /* transition 5 */
    if ((P5_is_marked >= 2) && (P4_is_marked + 3 <= 7) && (P1_marking[2] != P5_value[1])) {
      long x, y, z;
      x = P5_value[1];
      y = P1_marking[2];
      z = P3_value[0];
      if (x < y) {
        is_executed = 1;
        P5_is_marked -= 2;
        P4_value[P4_is_marked % 3] = x;
        P4_is_marked += 3;
        P2_marking[2] = (int)(z + 5);
      }
    }
    /* transition 6 */
    if ((P5_is_marked >= 1) && (P4_is_marked + 3 <= 6) && (P1_marking[4] != P5_value[2])) {
      long x, y, z;
      x = P5_value[2];
      y = P1_marking[4];
      z = P3_value[1];
      if (x < y) {
        is_executed = 1;
        P5_is_marked -= 1;
        P4_value[P4_is_marked % 3] = x;
        P4_is_marked += 3;
        P2_marking[4] = (int)(z + 7);
      }
    }
    /* transition 7 */
    if ((P3_is_marked >= 1) && (P4_is_marked + 3 <= 6) && (P1_marking[0] != P3_value[1])) {
      long x, y, z;
      x = P3_value[1];
      y = P1_marking[0];
      z = P5_value[2];
      if ((x > y) && (y < z)) {
        is_executed = 1;
        P3_is_marked -= 1;
        P4_value[P4_is_marked % 3] = x;
        P4_is_marked += 2;
        P2_marking[0] = (int)(z + 6);
      }
    }
    /* transition 8 */
    if ((P5_is_marked >= 4) && (P4_is_marked + 3 <= 9) && (P1_marking[4] != P5_value[0])) {
      long x, y, z;
      x = P5_value[0];
      y = P1_marking[4];
      z = P3_value[2];
      if (x < y) {
        is_executed = 1;
        P5_is_marked -= 4;
        P4_value[P4_is_marked % 3] = x;
        P4_is_marked += 1;
        P2_marking[4] = (int)(z + 5);
      }
    }
    /* transition 9 */
    if ((P5_is_marked >= 1) && (P4_is_marked + 3 <= 6) && (P1_marking[5] != P5_value[2])) {
      long x, y, z;
      x = P5_value[2];
      y = P1_marking[5];
      z = P3_value[1];
      if (x != z) {
        is_executed = 1;
        P5_is_marked -= 1;
        P4_value[P4_is_marked % 3] = x;
        P4_is_marked += 2;
        P2_marking[5] = (int)(z + 3);
      }
    }
    /* transition 10 */
    if ((P5_is_marked >= 2) && (P3_is_marked + 3 <= 7) && (P1_marking[4] != P5_value[0])) {
      long x, y, z;
      x = P5_value[0];
      y = P1_marking[4];
      z = P4_value[2];
      if (x <= y + z) {
        is_executed = 1;
        P5_is_marked -= 2;
        P3_value[P3_is_marked % 3] = x;
        P3_is_marked += 2;
        P2_marking[4] = (int)(z + 7);
      }
    }
    /* transition 11 */
    if ((P4_is_marked >= 2) && (P3_is_marked + 3 <= 7) && (P1_marking[4] != P4_value[1])) {
      long x, y, z;
      x = P4_value[1];
      y = P1_marking[4];
      z = P5_value[2];
      if (x != z) {
        is_executed = 1;
        P4_is_marked -= 2;
        P3_value[P3_is_marked % 3] = x;
        P3_is_marked += 3;
        P2_marking[4] = (int)(z + 5);
      }
    }
    /* transition 12 */
    if ((P5_is_marked >= 2) && (P4_is_marked + 3 <= 7) && (P1_marking[3] != P5_value[2])) {
      long x, y, z;
      x = P5_value[2];
      y = P1_marking[3];
      z = P3_value[1];
      if (x < y) {
        is_executed = 1;
        P5_is_marked -= 2;
        P4_value[P4_is_marked % 3] = x;
        P4_is_marked += 1;
        P2_marking[3] = (int)(z + 3);
      }
    }
  }
  return P3_is_marked + P4_is_marked + P5_is_marked;
}
