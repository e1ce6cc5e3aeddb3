/* expected: holds, 13 states
   expected with --invariant 'checking + savings == 10': violated (invariant)
   expected with -D ATOMIC --invariant 'checking + savings == 10': holds, 7 states */

/*
 * Two processes move money between two accounts. No assertion says what must stay true; a condition given on the
 * command line does: --invariant 'checking + savings == 10' is checked in every state.
 *
 * It fails between the two assignments of a transfer. With -D ATOMIC nobody can look in between.
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
