/*
 * A lock server over a network that may deliver messages in any order: a multiset.
 *
 * expected: holds, 56 states
 * expected with -D N=4: holds, 144 states
 * expected with -D CAREFUL=false: violated (invariant)
 *
 * With CAREFUL=false the server grants a lock that is taken.
 */
const
  N: 3;
  CAREFUL: true;
type
  client: scalarset(N);
  kind: enum { request, grant, release };
  message: record what: kind; who: client; end;
var
  net: multiset [N + 1] of message;
  owner: client;
  state: array [client] of enum { idle, waiting, critical };

procedure send(what: kind; who: client);
var m: message;
begin
  m.what := what;
  m.who := who;
  multisetadd(m, net);
end;

startstate begin
  undefine net;
  undefine owner;
  for c: client do state[c] := idle; end;
end;

ruleset c: client do
  rule "ask" state[c] = idle ==> begin send(request, c); state[c] := waiting; end;
  rule "leave" state[c] = critical ==> begin send(release, c); state[c] := idle; end;
end;

choose m: net do
  rule "server grants" net[m].what = request & (!CAREFUL | isundefined(owner)) ==> begin
    owner := net[m].who;
    send(grant, net[m].who);
    multisetremove(m, net);
  end;
  rule "client enters" net[m].what = grant ==> begin state[net[m].who] := critical; multisetremove(m, net); end;
  rule "server frees" net[m].what = release ==> begin undefine owner; multisetremove(m, net); end;
end;

invariant "one at a time"
  forall a: client do forall b: client do state[a] = critical & state[b] = critical -> a = b end end;
