/* expected: holds, 144 states */
-- A lock server over an unordered network. Clients are interchangeable: of states that differ only in
-- who is who, one is searched.
const N: 4;
type
  client: scalarset(N);
  kind: enum { request, grant, release };
  message: record what: kind; who: client; end;
var
  net: multiset [N + 1] of message;
  owner: client;
  st: array [client] of enum { idle, waiting, holding };

procedure send(what: kind; who: client);
var m: message;
begin
  m.what := what; m.who := who;
  multisetadd(m, net);
end;

startstate "quiet"
  undefine net; undefine owner;
  for c: client do st[c] := idle; end;
end;

ruleset c: client do
  rule "ask" st[c] = idle ==> send(request, c); st[c] := waiting; end;
  rule "give back" st[c] = holding ==> send(release, c); st[c] := idle; end;
end;

choose i: net do
  rule "the server grants" net[i].what = request & isundefined(owner) ==>
    owner := net[i].who; send(grant, net[i].who); multisetremove(i, net);
  end;
  rule "the client enters" net[i].what = grant ==>
    st[net[i].who] := holding; multisetremove(i, net);
  end;
  rule "the server frees" net[i].what = release ==>
    undefine owner; multisetremove(i, net);
  end;
end;

invariant "one holder"
  forall a: client do forall b: client do st[a] = holding & st[b] = holding -> a = b end end;
