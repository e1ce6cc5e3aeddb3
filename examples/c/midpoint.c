/* expected: violated (runtime errors)
   The sum of two indices overflows before it is halved. With -D CAREFUL, it does not. */
#include <everypath.h>

static int midpoint(int low, int high) {
#ifdef CAREFUL
  return low + (high - low) / 2;
#else
  return (low + high) / 2;
#endif
}

int main(void) {
  int low, high;
  symbolic(&low, sizeof low, "low");
  symbolic(&high, sizeof high, "high");
  assume(0 <= low && low <= high);
  int middle = midpoint(low, high);
  check(low <= middle && middle <= high);
  return 0;
}
