/* expected: promela/unknown-field 22:10
   expected: promela/message-arity 23:3
   expected: promela/undeclared-name 29:13
   expected: promela/undefined-label 30:8
   expected: promela/run-arity 36:3
   expected: promela/unknown-proctype 37:7 */

/* These parse, but do not mean anything: names, types and numbers of arguments are checked before anything runs. */

typedef Packet {
  byte number;
  bool last
};

mtype = { data, ack };

chan wire = [2] of { mtype, byte };

proctype Sender(byte count) {
  Packet packet;

  packet.nubmer = count;
  wire!data(packet.number, 1)
}

active proctype Receiver() {
  byte expected;

  wire?data(expcted);
  goto agian;
again:
  expected++
}

init {
  run Sender(3, 4);
  run Reciever()
}
