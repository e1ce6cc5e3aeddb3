/* expected: holds */
/*
 * Consensus: at most one value is chosen, once.
 * A specification of examples/code/systems/paxos.ts.
 */
mtype = { nothing, p1, p2 };
mtype chosen = nothing;

active proctype Choice() {
end:
  if
  :: chosen = p1
  :: chosen = p2
  fi
}
