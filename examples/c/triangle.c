/* expected: holds
   Classifies triangles: `everypath test` finds a test for every class. */
#include <everypath.h>

enum kind { NONE, SCALENE, ISOSCELES, EQUILATERAL };

static enum kind classify(unsigned char a, unsigned char b, unsigned char c) {
  if (a == 0 || b == 0 || c == 0) return NONE;
  if (a + b <= c || b + c <= a || c + a <= b) return NONE;
  if (a == b && b == c) return EQUILATERAL;
  if (a == b || b == c || c == a) return ISOSCELES;
  return SCALENE;
}

int main(void) {
  unsigned char sides[3];
  symbolic(sides, sizeof sides, "sides");
  return classify(sides[0], sides[1], sides[2]);
}
