/* expected: holds, 7 states
 * A server with two private clients. Only z!b and w!b are open. `--refactor verify` splits the server by its clients.
 */
/* everypath: components */
mtype = { a, b, c, d };
chan x = [0] of mtype;
chan y = [0] of mtype;
chan z = [0] of mtype;
chan w = [0] of mtype;

proctype S() {
  do
  refactorby x, y {
    :: x?a -> z!b; x?c; x?d;
    :: y?a -> w!b; y?c; y?d;
  }
  od
}

proctype X() { do :: x!a -> x!c; x!d od }
proctype Y() { do :: y!a -> y!c; y!d od }
