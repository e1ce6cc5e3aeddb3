/* expected: violated (array-bounds)
   expected with -D FIXED: holds, 96 states */

/*
 * A ring buffer whose writer wraps around one place too late: after the last slot it writes beyond the array.
 * The model has no assertion about it: array indices are always checked.
 */

#define SIZE 3

#ifdef FIXED
#define LAST (SIZE - 1)
#else
#define LAST SIZE
#endif

byte slot[SIZE];
byte used;

active proctype Writer() {
  byte at, next = 1;

end:
  do
  :: atomic { used < SIZE -> slot[at] = next; used++ };
     next = next % 2 + 1;
     if
     :: at == LAST -> at = 0
     :: else -> at++
     fi
  od
}

active proctype Reader() {
  byte at;

end:
  do
  :: atomic { used > 0 -> assert(slot[at] != 0); slot[at] = 0; used--; at = (at + 1) % SIZE }
  od
}
