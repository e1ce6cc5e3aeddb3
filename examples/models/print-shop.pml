/* expected: holds, 64 states */

/*
 * Rendezvous and atomic. A channel of capacity 0 holds nothing: sender and receiver move together, in one step
 * of the trace. A printer hands out a permit, prints for its holder, and takes it back.
 *
 * Inside `atomic` no other process moves, so the count of sheets and its check are one step.
 */

chan permit = [0] of { pid };
chan sheet = [0] of { byte };
chan finished = [0] of { pid };

byte printed;

active proctype Printer() {
  pid user, leaver;
  byte page;

end:
  do
  :: permit?user ->
     do
     :: atomic { sheet?page -> printed++; assert(page <= 2) }
     :: finished?leaver -> assert(leaver == user); break
     od
  od
}

active [2] proctype User() {
  byte page;

  permit!_pid;
  for (page : 1 .. 2) {
    sheet!page
  }
  finished!_pid
}
