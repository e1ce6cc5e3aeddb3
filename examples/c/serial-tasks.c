/* expected: violated (assertions)
   TestSerial of TinyOS, rebuilt: a timer task sends a packet, byte by byte. An interrupt between two tasks changes the state of the
   sender: the assertion fails in phase 4, the first in which `fired` runs. With -D REPAIRED, the interrupt keeps away from it, and nothing is
   found in four phases. */
#include <bbs.h>
typedef unsigned char byte;
enum { SIZE = 8 };
byte packet[SIZE], sum, sending, started, armed, received;

__interrupt(6) void uart(void) {
#ifdef REPAIRED
  if (started) received = 1;
#else
  if (started) sending = 2;
#endif
}

__task void fired(void) {
  assert(sending == 0);
  byte first = __nondet_uchar();
  __assume(first <= 4);
  sending = 1;
  for (byte i = first; i < first + 4; i++) sum ^= packet[i];
  sending = 0;
}

__task void update_timer(void) {
  armed = 1;
  __post(fired);
}

__task void start_done(void) {
  started = 1;
  __post(update_timer);
}

int main(void) {
  __post(start_done);
  return 0;
}
