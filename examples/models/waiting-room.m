/*
 * Two customers and one clerk: is the first customer served, whenever she waits?
 *
 * expected: violated (ltl)
 * expected with --fairness weak: violated (ltl)
 * expected with --fairness strong: holds, 72 states
 * expected with -D TICKETS=true: violated (ltl)
 * expected with -D TICKETS=true --fairness weak: holds, 72 states
 *
 * A clock ticks, and without fairness nothing else need happen. With weak fairness a rule that stays enabled fires; but the clerk
 * may serve the other customer again and again, and while he does so the first one cannot come forward. Strong fairness helps
 * her, or tickets, by which customers are served in the order in which they came.
 */
const
  TICKETS: false;
type
  customer: 0..1;
var
  state: array [customer] of enum { away, waiting, served };
  -- The first of the waiting customers.
  first: customer;
  tick: boolean;

startstate
begin
  for i: customer do state[i] := away; end;
  first := 0;
  tick := false;
end;

rule "clock"
begin
  tick := !tick;
end;

ruleset i: customer do
  rule "come" state[i] = away ==>
  begin
    if state[1 - i] != waiting then first := i; end;
    state[i] := waiting;
  end;

  rule "call" state[i] = waiting & state[1 - i] != served & (!TICKETS | first = i) ==>
  begin
    state[i] := served;
    first := 1 - i;
  end;

  rule "go" state[i] = served ==>
  begin
    state[i] := away;
  end;
end;

ltl "served" [] (state[0] = waiting -> <> state[0] = served);
ltl "one at a time" [] !forall i: customer do state[i] = served end;
