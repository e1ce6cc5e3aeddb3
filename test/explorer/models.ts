/** Small models for the explorer's tests. */

/** Two branches; one fails at the third step. */
export const branching = `byte x;
active proctype P() {
  if
  :: x = 1
  :: x = 2
  fi;
  x = x + 1;
  assert(x != 3)
}
`;

/** A request with a wrong answer. */
export const messages = `mtype = { ask, answer };
chan wire = [1] of { mtype, byte };
chan back = [0] of { mtype, byte };

active proctype Client() {
  byte got;
  wire!ask(3);
  back?answer(got);
  assert(got == 3)
}

active proctype Server() {
  byte wanted;
  wire?ask(wanted);
  wanted++;
  back!answer(wanted)
}
`;

/** Every execution is infinite, and x is 1 infinitely often. */
export const endless = `byte x;
ltl rests { <>[](x == 0) }
active proctype P() {
  do
  :: x = 1 - x
  od
}
`;

/** Far more states than a test waits for; no reduction applies. */
export const huge = `byte a, b, c, d;
active [4] proctype Counter() {
  do
  :: _pid == 0 -> a++
  :: _pid == 1 -> b++
  :: _pid == 2 -> c++
  :: _pid == 3 -> d++
  :: assert(a + b + c + d < 2000)
  od
}
`;

/** A single path of `n` steps that fails at its end. */
export const long = (n: number): string => `short n;
active proctype P() {
  do
  :: n < ${n} -> n++
  :: n == ${n} -> assert(false)
  od
}
`;
