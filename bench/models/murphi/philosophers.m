-- Dining philosophers with a waiter who seats all but one, and forks that are put down one at a time.
const N: 8;
type
  seat: 0..N-1;
  mode: enum { thinking, seated, left, eating, dropping };
var
  st: array [seat] of mode;
  fork: array [seat] of boolean;
  guests: 0..N-1;

startstate "all think"
  for p: seat do st[p] := thinking; fork[p] := true; end;
  guests := 0;
end;

ruleset p: seat do
  rule "sit" st[p] = thinking & guests < N - 1 ==> st[p] := seated; guests := guests + 1; end;
  rule "take left" st[p] = seated & fork[p] ==> fork[p] := false; st[p] := left; end;
  rule "take right" st[p] = left & fork[(p + 1) % N] ==> fork[(p + 1) % N] := false; st[p] := eating; end;
  rule "drop left" st[p] = eating ==> fork[p] := true; st[p] := dropping; end;
  rule "drop right" st[p] = dropping ==> fork[(p + 1) % N] := true; st[p] := thinking; guests := guests - 1; end;
end;

invariant "no two neighbours eat" forall p: seat do st[p] != eating | st[(p + 1) % N] != eating end;
