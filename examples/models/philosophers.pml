/* expected: violated (deadlock)
   expected with -D LEFT_HANDED: holds, 116 states
   expected with -D N=4: violated (deadlock) */

/*
 * N philosophers at a round table, a fork between each two. To eat, one needs both neighbouring forks. If all
 * take the right one first, all can end up with one fork, waiting for the other.
 *
 * With -D LEFT_HANDED one of them takes the left one first, which breaks the circle.
 */

#ifndef N
#define N 3
#endif

bool taken[N];

inline take(fork) { atomic { !taken[fork] -> taken[fork] = true } }
inline put(fork) { taken[fork] = false }

active [N] proctype Philosopher() {
  byte first = _pid, second = (_pid + 1) % N;

#ifdef LEFT_HANDED
  if
  :: _pid == 0 -> first = 1; second = 0
  :: else
  fi;
#endif

  do
  :: take(first);
     take(second);
     /* eat */
     put(second);
     put(first)
  od
}
