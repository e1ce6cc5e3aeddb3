-- Ricart and Agrawala's distributed mutual exclusion with bounded clocks; all rest when the clocks have run out.
const N: 3; C: 4; B: 0;
type
  site: 0..N-1;
  clock: 0..C;
  beat: 0..B;
  mode: enum { idle, asking, inside };
var
  at: array [site] of mode;
  pulse: beat;
  stamp: array [site] of clock;
  seen: array [site] of clock;
  asked: array [site] of array [site] of boolean;
  answered: array [site] of array [site] of boolean;
  deferred: array [site] of array [site] of boolean;
  granted: array [site] of array [site] of boolean;

startstate "idle"
  pulse := 0;
  for i: site do
    at[i] := idle; stamp[i] := 0; seen[i] := 0;
    for j: site do
      asked[i][j] := false; answered[i][j] := false; deferred[i][j] := false; granted[i][j] := false;
    end;
  end;
end;

ruleset i: site do
  rule "ask" at[i] = idle & seen[i] < C ==>
    at[i] := asking;
    seen[i] := seen[i] + 1;
    stamp[i] := seen[i];
    for j: site do if j != i then asked[i][j] := true; granted[i][j] := false; end; end;
  end;
  rule "enter" at[i] = asking & forall j: site do j = i | granted[i][j] end ==> at[i] := inside; end;
  rule "leave" at[i] = inside ==>
    at[i] := idle; stamp[i] := 0;
    for j: site do
      granted[i][j] := false;
      if deferred[i][j] then deferred[i][j] := false; answered[i][j] := true; end;
    end;
  end;
  rule "rest" at[i] = idle & seen[i] = C & forall j: site do at[j] = idle & seen[j] = C end ==>
    for j: site do seen[j] := 0; end;
  end;
end;

rule "beat" B > 0 ==> pulse := B - pulse; end;

ruleset p: site; q: site do
  rule "receive a request" asked[p][q] ==>
    asked[p][q] := false;
    if stamp[p] > seen[q] then seen[q] := stamp[p]; end;
    if at[q] = inside |
       (at[q] = asking & (stamp[q] < stamp[p] | (stamp[q] = stamp[p] & q < p))) then
      deferred[q][p] := true;
    else answered[q][p] := true; end;
  end;
  rule "receive an answer" answered[p][q] ==>
    answered[p][q] := false; granted[q][p] := true;
  end;
end;

invariant "mutual exclusion"
  forall i: site do forall j: site do i = j | at[i] != inside | at[j] != inside end end;
