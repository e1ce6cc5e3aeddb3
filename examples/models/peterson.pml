/* expected: holds, 38 states
   expected with -D NO_TURN: violated (deadlock) */

/*
 * Peterson's lock for two processes. Each says that it wants to enter, then gives the other the turn, and
 * waits only while the other wants to enter and has the turn. The assertion fails if both were ever inside.
 *
 * With -D NO_TURN nobody gives way: still safe, but both can wait for each other for ever.
 */

bool wants[2];
byte turn;
byte inside; /* how many are in the critical section */

active [2] proctype P() {
  byte other = 1 - _pid;

  do
  :: wants[_pid] = true;
#ifdef NO_TURN
     !wants[other];
#else
     turn = other;
     !wants[other] || turn == _pid;
#endif
     inside++;
     assert(inside == 1);
     inside--;
     wants[_pid] = false
  od
}
