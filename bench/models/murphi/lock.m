-- A lock server over an unordered network in which every client has a small mailbox; clients queue by ticket.
const N: 6;
type
  client: scalarset(N);
  place: 0..N;
  mode: enum { idle, wanting, queued, holding, leaving };
  msg: enum { none, want, ticket, grant, release };
var
  st: array [client] of mode;
  up: array [client] of msg;
  down: array [client] of msg;
  position: array [client] of place;
  owner: client;
  next: place;

startstate "free"
  for i: client do st[i] := idle; up[i] := none; down[i] := none; position[i] := 0; end;
  undefine owner; next := 0;
end;

ruleset i: client do
  rule "want" st[i] = idle & up[i] = none ==> st[i] := wanting; up[i] := want; end;
  rule "queue" up[i] = want & down[i] = none ==>
    next := next + 1; position[i] := next; up[i] := none; down[i] := ticket;
  end;
  rule "hear the ticket" down[i] = ticket ==> st[i] := queued; down[i] := none; end;
  rule "serve" isundefined(owner) & position[i] = 1 & down[i] = none & st[i] = queued ==>
    owner := i; down[i] := grant;
  end;
  rule "hold" down[i] = grant ==> st[i] := holding; down[i] := none; end;
  rule "leave" st[i] = holding & up[i] = none ==> st[i] := leaving; up[i] := release; end;
  rule "free" up[i] = release ==>
    up[i] := none; undefine owner; st[i] := idle;
    for j: client do if position[j] > 0 then position[j] := position[j] - 1; end; end;
    next := next - 1;
  end;
end;

invariant "one holder" forall i: client do forall j: client do i = j | st[i] != holding | st[j] != holding end end;
