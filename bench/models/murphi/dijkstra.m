-- Dijkstra's mutual exclusion (1965): whoever is passing looks at the others one by one, in any order.
const N: 4;
type
  pid: scalarset(N);
  loc: enum { idle, want, claim, look, crit };
  level: 0..2;
var
  at: array [pid] of loc;
  flag: array [pid] of level;
  seen: array [pid] of array [pid] of boolean;
  turn: pid;

ruleset i: pid do
  startstate "idle"
    for p: pid do
      at[p] := idle; flag[p] := 0;
      for q: pid do seen[p][q] := false; end;
    end;
    turn := i;
  end;
end;

ruleset p: pid do
  rule "want" at[p] = idle ==> flag[p] := 1; at[p] := want; end;
  rule "take the turn" at[p] = want & turn != p & flag[turn] = 0 ==> turn := p; end;
  rule "have the turn" at[p] = want & turn = p ==> at[p] := claim; end;
  rule "claim" at[p] = claim ==>
    flag[p] := 2; at[p] := look;
    for q: pid do seen[p][q] := q = p; end;
  end;
  rule "enter" at[p] = look & forall q: pid do seen[p][q] end ==>
    at[p] := crit;
    for q: pid do seen[p][q] := false; end;
  end;
  rule "leave" at[p] = crit ==> flag[p] := 0; at[p] := idle; end;
end;

ruleset p: pid; q: pid do
  rule "look" at[p] = look & !seen[p][q] ==>
    if flag[q] = 2 then
      flag[p] := 1; at[p] := want;
      for r: pid do seen[p][r] := false; end;
    else seen[p][q] := true; end;
  end;
end;

invariant "mutual exclusion" forall p: pid do forall q: pid do p = q | at[p] != crit | at[q] != crit end end;
