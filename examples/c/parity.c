/* expected: holds
   Two ways to count the bits of a byte agree for every byte. */
#include <everypath.h>

static int by_table(unsigned char byte) {
  static const char bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  return bits[byte & 15] + bits[byte >> 4];
}

static int by_clearing(unsigned char byte) {
  int count = 0;
  for (; byte; byte &= (unsigned char)(byte - 1)) count++;
  return count;
}

int main(void) {
  unsigned char byte;
  symbolic(&byte, sizeof byte, "byte");
  check(by_table(byte) == by_clearing(byte));
  return 0;
}
