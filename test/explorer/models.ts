/** Small models for the explorer's tests. */

/** Two ways to go; one of them fails at the third step. */
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

/** A message goes around, and is answered wrongly. */
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

/** Never rests: every execution goes on for ever, and x is 1 again and again. */
export const endless = `byte x;
ltl rests { <>[](x == 0) }
active proctype P() {
  do
  :: x = 1 - x
  od
}
`;

/** Far more states than a test waits for; no reduction can tell them apart. */
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

/** One path of `n` steps, at the end of which it fails. */
export const long = (n: number): string => `short n;
active proctype P() {
  do
  :: n < ${n} -> n++
  :: n == ${n} -> assert(false)
  od
}
`;
