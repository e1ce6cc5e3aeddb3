/* expected with --no-deadlock: holds */
/**
 * Atomic commitment: every participant decides once, and all decide alike.
 * A specification of examples/code/systems/two-phase-commit.ts.
 */
type decision: enum { none, commit, abort };
var alice, bob: decision;

startstate begin alice := none; bob := none; end;

rule "alice commits" alice = none & bob != abort ==> begin alice := commit; end;
rule "alice aborts" alice = none & bob != commit ==> begin alice := abort; end;
rule "bob commits" bob = none & alice != abort ==> begin bob := commit; end;
rule "bob aborts" bob = none & alice != commit ==> begin bob := abort; end;
-- Nothing has to happen any more.
rule "rest" true ==> begin end;

invariant "all decide alike" !(alice = commit & bob = abort) & !(alice = abort & bob = commit);
