/* expected: holds, 13 states
   expected with --invariant 'checking + savings == 10': violated (invariant)
   expected with -D ATOMIC --invariant 'checking + savings == 10': holds, 7 states */

/*
 * Two processes move money between two accounts. The model has no assertion; a condition on the
 * command line replaces it: --invariant 'checking + savings == 10' is checked in every state.
 *
 * It fails between the two assignments of a transfer. With -D ATOMIC no process can observe the state in between.
 */

byte checking = 5, savings = 5;

inline move(from, to, amount) {
#ifdef ATOMIC
  atomic {
#endif
    from = from - amount;
    to = to + amount
#ifdef ATOMIC
  }
#endif
}

active proctype Saver() { move(checking, savings, 2) }

active proctype Spender() { move(savings, checking, 1) }
