/* expected: holds, 38 states
   expected with -D NO_TURN: violated (deadlock) */

/*
 * Peterson's lock for two processes. Each announces its request, then gives the other the turn, and
 * waits only while the other has requested and has the turn. The assertion fails if both were ever inside.
 *
 * With -D NO_TURN neither yields: still safe, but both can wait for each other forever.
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
