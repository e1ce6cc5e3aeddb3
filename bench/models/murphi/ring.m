-- Chang and Roberts' leader election on a ring of processes with links that hold two messages.
const N: 5; K: 2;
type
  proc: 0..N-1;
  mode: enum { asleep, candidate, passive, leader };
  count: 0..K;
  spot: 0..K-1;
var
  st: array [proc] of mode;
  link: array [proc] of array [spot] of proc;
  length: array [proc] of count;

procedure push(p: proc; v: proc);
begin
  link[p][length[p]] := v;
  length[p] := length[p] + 1;
end;

function pop(p: proc): proc;
var head: proc;
begin
  head := link[p][0];
  for k: spot do if k < K - 1 & !isundefined(link[p][k]) & k + 1 < length[p] then link[p][k] := link[p][k + 1]; end; end;
  length[p] := length[p] - 1;
  undefine link[p][length[p]];
  return head;
end;

startstate "asleep"
  for p: proc do st[p] := asleep; length[p] := 0; undefine link[p]; end;
end;

ruleset p: proc do
  rule "wake" st[p] = asleep & length[p] < K ==> st[p] := candidate; push(p, p); end;
  rule "receive" length[(p + N - 1) % N] > 0 & length[p] < K ==>
  var v: proc;
  begin
    v := pop((p + N - 1) % N);
    if v = p then st[p] := leader;
    elsif st[p] = asleep | v > p then
      if st[p] != leader then st[p] := passive; end;
      push(p, v);
    end;
  end;
  rule "forget" st[p] = leader & forall q: proc do length[q] = 0 end ==>
    for q: proc do st[q] := asleep; end;
  end;
  rule "restart" st[p] = passive & forall q: proc do st[q] != leader end ==> st[p] := asleep; end;
end;

invariant "one leader" forall p: proc do forall q: proc do p = q | st[p] != leader | st[q] != leader end end;
