-- Two-phase commit: participants may vote no, the coordinator may crash and recover; messages may be lost and resent.
const N: 6;
type
  part: scalarset(N);
  pstate: enum { working, prepared, committed, aborted };
  cstate: enum { init, collecting, commit, abort };
  msg: enum { nothing, prepare, voteYes, voteNo, doCommit, doAbort, done };
var
  p: array [part] of pstate;
  c: cstate;
  link: array [part] of msg;
  yes: array [part] of boolean;
  finished: array [part] of boolean;
  isUp: boolean;

startstate "init"
  for i: part do p[i] := working; link[i] := nothing; yes[i] := false; finished[i] := false; end;
  c := init; isUp := true;
end;

rule "start" isUp & c = init ==> c := collecting; end;
rule "decide to commit" isUp & c = collecting & forall i: part do yes[i] end ==> c := commit; end;
rule "give up" isUp & c = collecting ==> c := abort; end;
rule "crash" isUp ==> isUp := false; end;
rule "recover" !isUp ==> isUp := true; end;
rule "next round" isUp & (c = commit | c = abort) & forall i: part do finished[i] & link[i] = nothing end ==>
  c := init;
  for i: part do p[i] := working; yes[i] := false; finished[i] := false; end;
end;

ruleset i: part do
  rule "ask" isUp & c = collecting & !yes[i] & link[i] = nothing ==> link[i] := prepare; end;
  rule "tell commit" isUp & c = commit & !finished[i] & link[i] = nothing ==> link[i] := doCommit; end;
  rule "tell abort" isUp & c = abort & !finished[i] & link[i] = nothing ==> link[i] := doAbort; end;
  rule "vote yes" link[i] = prepare & (p[i] = working | p[i] = prepared) ==> p[i] := prepared; link[i] := voteYes; end;
  rule "vote no" link[i] = prepare & (p[i] = working | p[i] = aborted) ==> p[i] := aborted; link[i] := voteNo; end;
  rule "count yes" isUp & link[i] = voteYes ==> if c = collecting then yes[i] := true; end; link[i] := nothing; end;
  rule "count no" isUp & link[i] = voteNo ==> if c = collecting then c := abort; end; link[i] := nothing; end;
  rule "obey commit" link[i] = doCommit ==> p[i] := committed; link[i] := done; end;
  rule "obey abort" link[i] = doAbort ==> p[i] := aborted; link[i] := done; end;
  rule "hear done" isUp & link[i] = done ==> finished[i] := true; link[i] := nothing; end;
  rule "lose" link[i] != nothing ==> link[i] := nothing; end;
end;

invariant "agreement"
  forall i: part do forall j: part do !(p[i] = committed & p[j] = aborted) end end;
