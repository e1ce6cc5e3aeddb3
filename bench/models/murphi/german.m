-- German's directory-based cache coherence protocol, with data.
const N: 4; D: 2;
type
  node: scalarset(N);
  data: 1..D;
  line: enum { invalid, shared, exclusive };
  request: enum { none, reqShared, reqExclusive };
  answer: enum { empty, inv, grantShared, grantExclusive };
  ack: enum { noAck, invAck };
var
  cache: array [node] of record state: line; value: data; end;
  ask: array [node] of request;
  reply: array [node] of record kind: answer; value: data; end;
  acks: array [node] of record kind: ack; value: data; end;
  toInvalidate: array [node] of boolean;
  sharers: array [node] of boolean;
  isExclusive: boolean;
  current: request;
  client: node;
  memory: data;
  latest: data;

ruleset i: node do
  startstate "quiet"
    for n: node do
      cache[n].state := invalid; undefine cache[n].value;
      ask[n] := none;
      reply[n].kind := empty; undefine reply[n].value;
      acks[n].kind := noAck; undefine acks[n].value;
      toInvalidate[n] := false;
      sharers[n] := false;
    end;
    isExclusive := false;
    current := none;
    client := i;
    memory := 1;
    latest := 1;
  end;
end;

ruleset i: node do
  rule "ask for a shared line" ask[i] = none & cache[i].state = invalid ==> ask[i] := reqShared; end;
  rule "ask for an exclusive line"
    ask[i] = none & (cache[i].state = invalid | cache[i].state = shared) ==> ask[i] := reqExclusive; end;
  rule "take a request" current = none & ask[i] != none ==>
    current := ask[i]; ask[i] := none; client := i;
    for n: node do toInvalidate[n] := sharers[n]; end;
  end;
  rule "invalidate"
    reply[i].kind = empty & toInvalidate[i] &
    (current = reqExclusive | (current = reqShared & isExclusive)) ==>
    reply[i].kind := inv; undefine reply[i].value; toInvalidate[i] := false;
  end;
  rule "acknowledge" reply[i].kind = inv & acks[i].kind = noAck ==>
    reply[i].kind := empty;
    acks[i].kind := invAck;
    if cache[i].state = exclusive then acks[i].value := cache[i].value; end;
    cache[i].state := invalid; undefine cache[i].value;
  end;
  rule "take an acknowledgement" acks[i].kind = invAck & current != none ==>
    acks[i].kind := noAck;
    sharers[i] := false;
    if isExclusive then isExclusive := false; memory := acks[i].value; undefine acks[i].value; end;
  end;
  rule "grant a shared line"
    current = reqShared & client = i & reply[i].kind = empty & !isExclusive ==>
    reply[i].kind := grantShared; reply[i].value := memory;
    sharers[i] := true;
    current := none;
  end;
  rule "grant an exclusive line"
    current = reqExclusive & client = i & reply[i].kind = empty & !isExclusive &
    forall n: node do !sharers[n] end ==>
    reply[i].kind := grantExclusive; reply[i].value := memory;
    sharers[i] := true;
    isExclusive := true;
    current := none;
  end;
  rule "receive a shared line" reply[i].kind = grantShared ==>
    cache[i].state := shared; cache[i].value := reply[i].value;
    reply[i].kind := empty; undefine reply[i].value;
  end;
  rule "receive an exclusive line" reply[i].kind = grantExclusive ==>
    cache[i].state := exclusive; cache[i].value := reply[i].value;
    reply[i].kind := empty; undefine reply[i].value;
  end;
end;

ruleset i: node; d: data do
  rule "store" cache[i].state = exclusive ==> cache[i].value := d; latest := d; end;
end;

invariant "one writer"
  forall i: node do forall j: node do
    i = j | cache[i].state != exclusive | cache[j].state = invalid
  end end;
invariant "latest value"
  forall i: node do cache[i].state != invalid -> cache[i].value = latest end;
