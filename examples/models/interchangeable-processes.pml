/* expected: holds, 1348 states */
/* everypath: symmetric Client */

/*
 * Clients that ask a server for its lock. Which client is which makes no difference: each uses its process number as a name
 * alone, in messages and as an index. The second comment declares that. Everypath shows it to be true before it relies on it;
 * Spin ignores it. With `--reduction symmetry` states that differ in names alone are searched once: 76 of them.
 */

#ifndef N
#define N 4
#endif
#define NOBODY 255

mtype = { ask, grant, free };
chan server = [N] of { mtype, pid };
chan client[N] = [1] of { mtype };
byte inside;
pid holder = NOBODY;

active [N] proctype Client() {
  do
  :: server ! ask, _pid;
     client[_pid] ? grant;
     inside++;
     assert(inside == 1 && holder == _pid);
     inside--;
     server ! free, _pid
  od
}

active proctype Server() {
  pid who;
end:
  do
  :: server ? ask, who;
     holder = who;
     client[who] ! grant;
     server ?? free, eval(who);
     holder = NOBODY
  od
}
