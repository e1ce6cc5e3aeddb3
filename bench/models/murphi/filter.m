const N: 6;
type pid: Scalarset(N); lev: 0..N-1; loc: enum { idle, setlev, settop, waiting, crit };
var P: array [pid] of loc; L: array [pid] of lev; T: array [lev] of pid; J: array [pid] of lev;
ruleset i: pid do
  rule "request" P[i] = idle ==> begin J[i] := 1; P[i] := setlev; end;
  rule "write level" P[i] = setlev ==> begin L[i] := J[i]; P[i] := settop; end;
  rule "write top" P[i] = settop ==> begin T[J[i]] := i; P[i] := waiting; end;
  rule "advance" P[i] = waiting &
      ( isundefined(T[J[i]]) | T[J[i]] != i | forall k: pid do (k = i) | (L[k] < J[i]) end ) ==>
    begin if J[i] = N-1 then P[i] := crit; else J[i] := J[i] + 1; P[i] := setlev; end; end;
  rule "leave" P[i] = crit ==> begin L[i] := 0; J[i] := 0; P[i] := idle; end;
end;
startstate begin
  for i: pid do P[i] := idle; L[i] := 0; J[i] := 0; end;
  for l: lev do undefine T[l]; end;
end;
invariant "mutex" forall i: pid do forall j: pid do (P[i] = crit & P[j] = crit) -> i = j end end;
