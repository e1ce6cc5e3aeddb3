/*
 * A cache-coherence protocol after S. German: a directory, and three channels for each of N caches.
 *
 * expected: holds, 1461 states
 * expected with --invariant 'forall i: node do c[i] != exclusive end': violated (invariant)
 */
const N: 2;
type node: scalarset(N);
  cache: enum { invalid, shared, exclusive };
  message: enum { empty, reqs, reqe, inv, invack, gnts, gnte };
var c: array [node] of cache;
  ch1, ch2, ch3: array [node] of message;
  invset, shrset: array [node] of boolean;
  exgntd: boolean; curcmd: message; curptr: node;
ruleset i: node do
  rule "send request shared" ch1[i] = empty & c[i] = invalid ==> begin ch1[i] := reqs; end;
  rule "send request exclusive" ch1[i] = empty & (c[i] = invalid | c[i] = shared) ==> begin ch1[i] := reqe; end;
  rule "receive request" curcmd = empty & ch1[i] != empty ==> begin
    curcmd := ch1[i]; ch1[i] := empty; curptr := i; invset := shrset;
  end;
  rule "send invalidate" ch2[i] = empty & invset[i] & (curcmd = reqe | curcmd = reqs & exgntd) ==> begin
    ch2[i] := inv; invset[i] := false;
  end;
  rule "send acknowledgement" ch2[i] = inv & ch3[i] = empty ==> begin
    ch2[i] := empty; ch3[i] := invack; c[i] := invalid;
  end;
  rule "receive acknowledgement" ch3[i] = invack & curcmd != empty ==> begin
    ch3[i] := empty; shrset[i] := false; exgntd := false;
  end;
  rule "send grant shared" curcmd = reqs & curptr = i & ch2[i] = empty & !exgntd ==> begin
    ch2[i] := gnts; shrset[i] := true; curcmd := empty; undefine curptr;
  end;
  rule "send grant exclusive" curcmd = reqe & curptr = i & ch2[i] = empty & !exgntd & forall j: node do !shrset[j] end ==> begin
    ch2[i] := gnte; shrset[i] := true; exgntd := true; curcmd := empty; undefine curptr;
  end;
  rule "receive grant shared" ch2[i] = gnts ==> begin c[i] := shared; ch2[i] := empty; end;
  rule "receive grant exclusive" ch2[i] = gnte ==> begin c[i] := exclusive; ch2[i] := empty; end;
end;
startstate begin
  for i: node do
    c[i] := invalid; ch1[i] := empty; ch2[i] := empty; ch3[i] := empty; invset[i] := false; shrset[i] := false;
  end;
  exgntd := false; curcmd := empty; undefine curptr;
end;
invariant "exclusive alone" forall i: node do forall j: node do i != j & c[i] = exclusive -> c[j] = invalid end end;
