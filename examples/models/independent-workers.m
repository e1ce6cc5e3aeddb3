/*
 * Workers that prepare by themselves and share one tool: `--reduction por` explores one order of their preparations.
 *
 * expected: holds, 648 states
 * expected with -D CAREFUL=false: violated (invariant)
 *
 * With CAREFUL=false workers do not look whether the tool is taken.
 */
const
  WORKERS: 5;
  CAREFUL: true;
type
  worker: 1 .. WORKERS;
  stage: enum { resting, fetching, sorting, working };
var
  at: array [worker] of stage;
  taken: 0 .. WORKERS;

startstate
  for w: worker do at[w] := resting; end;
  taken := 0;
end;

ruleset w: worker do
  rule "fetch" at[w] = resting ==> begin at[w] := fetching; end;
  rule "sort" at[w] = fetching ==> begin at[w] := sorting; end;
  rule "take" at[w] = sorting & (taken = 0 | !CAREFUL) ==> begin at[w] := working; taken := taken + 1; end;
  rule "return" at[w] = working ==> begin at[w] := resting; taken := taken - 1; end;
end;

invariant "one at a time" taken < 2;
