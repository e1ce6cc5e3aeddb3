-- MESI on a split-transaction bus: requests are queued, several lines, write-backs.
const N: 3; L: 2; Q: 2;
type
  cpu: scalarset(N);
  addr: scalarset(L);
  state: enum { m, e, s, i };
  kind: enum { read, readExclusive, upgrade };
  slot: 0..Q-1;
var
  cache: array [cpu] of array [addr] of state;
  busy: array [cpu] of boolean;
  queue: array [slot] of record who: cpu; op: kind; line: addr; end;
  waiting: 0..Q;
  fresh: array [addr] of boolean;

procedure send(who: cpu; op: kind; line: addr);
begin
  queue[waiting].who := who; queue[waiting].op := op; queue[waiting].line := line;
  waiting := waiting + 1;
  busy[who] := true;
end;

function isAlone(who: cpu; line: addr): boolean;
begin
  return forall c: cpu do c = who | cache[c][line] = i end;
end;

startstate "cold"
  for c: cpu do
    for a: addr do cache[c][a] := i; end;
    busy[c] := false;
  end;
  for a: addr do fresh[a] := true; end;
  undefine queue;
  waiting := 0;
end;

ruleset c: cpu; a: addr do
  rule "load miss" !busy[c] & waiting < Q & cache[c][a] = i ==> send(c, read, a); end;
  rule "store miss" !busy[c] & waiting < Q & cache[c][a] = i ==> send(c, readExclusive, a); end;
  rule "store to a shared line" !busy[c] & waiting < Q & cache[c][a] = s ==> send(c, upgrade, a); end;
  rule "store to a clean line" cache[c][a] = e ==> cache[c][a] := m; fresh[a] := false; end;
  rule "write back" cache[c][a] = m ==> cache[c][a] := i; fresh[a] := true; end;
  rule "drop" cache[c][a] = e | cache[c][a] = s ==> cache[c][a] := i; end;
end;

rule "bus" waiting > 0 ==>
  alias head: queue[0] do
    switch head.op
    case read:
      if isAlone(head.who, head.line) then cache[head.who][head.line] := e;
      else
        for c: cpu do
          if c != head.who & cache[c][head.line] = m then fresh[head.line] := true; end;
          if c != head.who & cache[c][head.line] != i then cache[c][head.line] := s; end;
        end;
        cache[head.who][head.line] := s;
      end;
    case readExclusive, upgrade:
      for c: cpu do if c != head.who then cache[c][head.line] := i; end; end;
      cache[head.who][head.line] := m;
      fresh[head.line] := false;
    end;
    busy[head.who] := false;
  end;
  for k: slot do
    if k < Q - 1 then queue[k] := queue[k + 1]; else undefine queue[k]; end;
  end;
  waiting := waiting - 1;
end;

invariant "one owner"
  forall a: addr do forall c: cpu do forall d: cpu do
    c = d | (cache[c][a] = m | cache[c][a] = e -> cache[d][a] = i)
  end end end;
invariant "memory is stale only behind an owner"
  forall a: addr do fresh[a] | exists c: cpu do cache[c][a] = m end end;
