/* expected: violated (ltl)
   expected with --fairness weak: holds, 28 states */

/*
 * A node sends heartbeats, a monitor counts them. The monitor sees one only if both are scheduled: without
 * fairness, an execution counts in which only the idle process runs, forever.
 */

chan beats = [1] of { bit };
byte seen;

active proctype Node() {
  do
  :: beats!1
  od
}

active proctype Monitor() {
  do
  :: beats?1 -> seen = 1
  od
}

active proctype Idle() {
  bit turn;
  do
  :: turn = 1 - turn
  od
}

ltl alive { <> (seen == 1) }
