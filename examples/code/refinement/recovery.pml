/* expected: holds */
/*
 * Atomic commitment with crashes: all decide alike, and a participant that is down has the same decision after its restart. It may have
 * decided just before the crash.
 * A specification of examples/code/systems/commit-recovery.ts.
 */
mtype = { none, commit, abort, down };
mtype alice = none;
mtype bob = none;
mtype outcome = none;

proctype Keeper(bit isAlice) {
  mtype decision = none;
end:
  do
  :: atomic { decision == none && outcome != abort -> outcome = commit; decision = commit }
  :: atomic { decision == none && outcome != commit -> outcome = abort; decision = abort }
  :: isAlice -> alice = decision
  :: isAlice -> alice = down
  :: !isAlice -> bob = decision
  :: !isAlice -> bob = down
  od
}

init { atomic { run Keeper(1); run Keeper(0) } }
