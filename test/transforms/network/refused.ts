/** Refusals of the gate, each with a network in which the refused reduction would change the answer. */
import * as models from "../../../bench/sdn/models.js";
import type { NetworkReduction, RefusalReason } from "../../../src/transforms/network/index.js";

export interface Example {
  /** The reduction's mistake. */
  readonly name: string;
  readonly reduction: NetworkReduction;
  readonly reason: RefusalReason;
  /** Used beside it; these alone keep the answer. */
  readonly with?: readonly NetworkReduction[];
  readonly text: string;
  readonly property: string;
  /** Number of times each client sends each packet: enough for the violation. */
  readonly sends: number;
  /** The limit is part of the question. */
  readonly isLimited?: boolean;
  /** In the concrete semantics; with the reduction it is the opposite. */
  readonly isViolated: boolean;
}

const pair = `options { barriers = published; }
network pair { switch s1, s2 ports 1..2; client c1, c2; link c1:1 -- s1:1; link s1:2 -- s2:1; link s2:2 -- c2:1; }
packet { kind: enum {A, B}; }
behaviour client c1 { send {kind: A}; }
`;
const both = pair.replace("{kind: A}", "{kind: any}");

/** B has a rule for A installed; A then goes through the rule, and causes a request at the other switch. */
const passing = `${both} controller { on packetIn(p, sw, pt) {
  if (sw == s2) forward([2]);
  else if (p.kind == B) { install(s1, rule(1, {kind: A}, [2])); barrier(s1); } } }
  property gone: always (forall p: packets at clients . p.kind != A) || (forall q: packets at s1 . q.kind != A);`;

/** The controller gets a request for a packet for which another host has had a rule installed. */
const known = `controller { state { known: bool = false; }
  on packetIn(p, sw, pt) { if (p.kind == B) forward([pt]); else if (known) error("asked about what is known"); }`;

/** As OpenFlow has barriers. */
const open = pair.replace("barriers = published", "barriers = openflow");

export const examples: readonly Example[] = [
  {
    name: "a packet overtakes a barrier to another switch",
    reduction: "barrier",
    reason: "barriers of OpenFlow",
    text: `${open} controller { on packetIn(p, sw, pt) {
      if (sw == s1) { install(s2, rule(1, {}, [2])); barrier(s2); forward([2]); } else error("overtaken"); } }`,
    property: "no errors",
    sends: 1,
    isViolated: true,
  },
  {
    name: "the reply to a barrier comes between a request and its answer",
    reduction: "controller",
    reason: "barriers of OpenFlow",
    text: `${open} controller { state { known: bool = false; heard: bool = false; }
      on packetIn(p, sw, pt) { if (heard) error("asked about what is known"); drop(); }
      on barrierReply(sw) { heard = true; } }
      event learn when !known { known = true; install(s1, rule(1, {}, [])); barrier(s1); }`,
    property: "no errors",
    sends: 1,
    isViolated: true,
  },
  {
    name: "a packet waits for the barrier that was sent before it",
    reduction: "eager",
    reason: "barriers of OpenFlow",
    text: `${open} controller { on packetIn(p, sw, pt) {
      if (sw == s2) forward([1]);
      else if (pt == 2) error("no rule for what comes back");
      else { install(s1, rule(2, {port: 2}, [])); barrier(s1); forward([2]); } } }`,
    property: "no errors",
    sends: 1,
    isViolated: false,
  },
  {
    name: "tables are seen between two barriers",
    reduction: "barrier",
    reason: "tables",
    text: `${pair} controller { on packetIn(p, sw, pt) {
      install(s1, rule(1, {kind: A}, [])); barrier(s1); install(s1, rule(2, {kind: B}, [])); barrier(s1); } }
      property both: always !installed(s1, rule(1, {kind: A}, [])) || installed(s1, rule(2, {kind: B}, []));`,
    property: "both",
    sends: 1,
    isViolated: true,
  },
  {
    name: "a client that answers at once hides that nothing was there",
    reduction: "client",
    reason: "packets",
    text: `options { barriers = published; }
network three { switch s1, s2 ports 1..3; client c1, m; link c1:1 -- s1:1; link s1:2 -- m:1; link s1:3 -- s2:1; }
      packet { kind: enum {A, B}; }
      behaviour client c1 { send {kind: A}; }
      behaviour client m { on receive(p) { emit {kind: B}; } }
      controller { on packetIn(p, sw, pt) {
        if (sw == s1 && p.kind == A) { install(s1, rule(1, {kind: B}, [2])); barrier(s1); forward([2, 3]); } } }
      property together: always (forall p: packets at s2 . p.kind != A) || (exists q: packets at s1 . q.kind == B);`,
    property: "together",
    sends: 1,
    isViolated: true,
  },
  {
    name: "a packet waits at a client while the controller changes its mind",
    reduction: "client",
    reason: "clients and control",
    with: ["barrier", "controller", "eager"],
    text: `${pair} controller { state { closed: bool = false; } on packetIn(p, sw, pt) { if (closed) drop(); else forward([2]); } }
      event close when !closed { closed = true; }
      property open: always forall p: packets at clients . !closed;`,
    property: "open",
    sends: 1,
    isViolated: true,
  },
  {
    name: "two packets wait at a client",
    reduction: "client",
    reason: "clients and packets",
    text: `${both} controller { on packetIn(p, sw, pt) { forward([2]); } }
      property one: always forall p: packets at clients . forall q: packets at clients . p.kind == q.kind;`,
    property: "one",
    sends: 1,
    isViolated: true,
  },
  {
    name: "a packet that is sent once is not sent twice",
    reduction: "counter",
    reason: "send limit",
    text: `${pair} controller { state { asked: bool = false; } on packetIn(p, sw, pt) {
      if (asked) error("asked twice"); asked = true; } }`,
    property: "no errors",
    sends: 1,
    isLimited: true,
    isViolated: false,
  },
  {
    name: "packets that are never used up repair what asks for a packet",
    reduction: "counter",
    reason: "packets",
    with: ["barrier"],
    text: `${pair} controller { state { seen: bool = false; } on packetIn(p, sw, pt) { seen = true; } }
      property still: always seen -> (exists p: packets at switches . p.kind == A);`,
    property: "still",
    sends: 1,
    isViolated: true,
  },
  {
    name: "a packet that was matched is still there, and is matched again",
    reduction: "one-shot",
    reason: "no counter",
    text: passing,
    property: "gone",
    sends: 1,
    isLimited: true,
    isViolated: false,
  },
  {
    name: "a packet that was matched is still there, and is matched again",
    reduction: "transitive",
    reason: "no counter",
    text: passing,
    property: "gone",
    sends: 1,
    isLimited: true,
    isViolated: false,
  },
  {
    name: "with several requests at once, one can be overtaken",
    reduction: "controller",
    reason: "kappa",
    text: models.stale(2),
    property: "fresh",
    sends: 1,
    isViolated: true,
  },
  {
    name: "an event's barrier comes between a request and its answer",
    reduction: "controller",
    reason: "barriers of events",
    with: ["barrier"],
    text: `${pair} ${known} }
      event learn when !known { known = true; install(s1, rule(1, {kind: A}, [])); barrier(s1); }`,
    property: "no errors",
    sends: 1,
    isViolated: true,
  },
  {
    name: "a client receives between a request and its answer",
    reduction: "controller",
    reason: "barriers of clients",
    text: `${pair} behaviour client c2 { send {kind: B};
        on receive(p) { known = true; install(s1, rule(1, {kind: A}, [])); barrier(s1); } }
      ${known} }`,
    property: "no errors",
    sends: 1,
    isViolated: true,
  },
  {
    name: "a link fails between a request and its answer",
    reduction: "controller",
    reason: "barriers of portDown",
    text: `${pair.replace("link s2:2 -- c2:1", "link s2:2 -- c2:1 fails")} ${known}
      on portDown(sw, pt) { known = true; install(s1, rule(1, {kind: A}, [])); barrier(s1); } }`,
    property: "no errors",
    sends: 1,
    isViolated: true,
  },
  {
    name: "a request takes its packet away before the controller knows",
    reduction: "controller",
    reason: "packets",
    text: `network m { switch s1 ports 1..2; client c1, m; link c1:1 -- s1:1; link m:1 -- s1:2; }
      packet { kind: enum {S, A, B}; }
      behaviour client c1 { send {kind: S}; }
      behaviour client m { on receive(p) { emit {kind: A}; emit {kind: B}; } }
      controller { state { handled: bool = false; } on packetIn(p, sw, pt) { if (p.kind == S) forward([2]); else handled = true; } }
      property pairs: always (forall p: packets at s1 . p.kind != A) || handled || (exists q: packets at s1 . q.kind == B);`,
    property: "pairs",
    sends: 1,
    isViolated: true,
  },
  {
    name: "an answer that is on its way has the packet nowhere",
    reduction: "eager",
    reason: "packets",
    text: `network one { switch s1 ports 1..2; client c1, c2; link c1:1 -- s1:1; link s1:2 -- c2:1; }
      packet { kind: enum {A, B}; }
      behaviour client c1 { send {kind: A}; }
      behaviour client c2 { on receive(p) when p.kind == B { } }
      controller { state { handled: bool = false; } on packetIn(p, sw, pt) { handled = true; forward([2]); } }
      property arrived: always handled -> (exists p: packets at clients . p.kind == A);`,
    property: "arrived",
    sends: 1,
    isViolated: true,
  },
  {
    name: "the controller changes its mind before the client receives",
    reduction: "eager",
    reason: "received with control",
    text: `${pair} controller { state { closed: bool = false; } on packetIn(p, sw, pt) { if (closed) drop(); else forward([2]); } }
      event close when !closed { closed = true; }
      property open: never received(p, c) when closed;`,
    property: "open",
    sends: 1,
    isViolated: true,
  },
  {
    name: "the controller changes its mind before the switch acts",
    reduction: "eager",
    reason: "executed with control",
    text: `${pair} controller { state { closed: bool = false; } on packetIn(p, sw, pt) { if (closed) drop(); else forward([2]); } }
      event close when !closed { closed = true; }
      property open: never forwarded(p) at execution when closed;`,
    property: "open",
    sends: 1,
    isViolated: true,
  },
  {
    name: "the firewall that forgets what it decided, as published",
    reduction: "eager",
    reason: "executed with control",
    with: ["barrier", "client", "counter", "controller", "preload"],
    text: models.firewall({ switches: 2, traffic: "some", moment: "at execution" }),
    property: "noWrongDrop",
    sends: 1,
    isViolated: true,
  },
  {
    name: "a link fails before the switch acts",
    reduction: "eager",
    reason: "lost on links that fail",
    text: `${pair.replace("link s2:2 -- c2:1", "link s2:2 -- c2:1 fails")}
      controller { state { down: bool = false; }
        on packetIn(p, sw, pt) { if (down) forward([1]); else forward([2]); }
        on portDown(sw, pt) { down = true; } }
      property kept: noBlackHole;`,
    property: "kept",
    sends: 1,
    isViolated: true,
  },
  {
    name: "one copy of each packet is not enough",
    reduction: "preload",
    reason: "no counter",
    text: models.ssh(false, "c1", "SSH"),
    property: "noSSH",
    sends: 2,
    isViolated: true,
  },
  {
    name: "an addition behind a deletion that is still on its way is not redundant",
    reduction: "exact-control",
    reason: "no barrier",
    text: `${both} controller { state { phase: 0..2 = 0; } on packetIn(p, sw, pt) {
      let r = rule(1, {kind: A}, [2]);
      if (sw == s1 && p.kind == B) {
        if (phase == 0) { install(s1, r); barrier(s1); phase = 1; }
        else if (phase == 1) { remove(s1, r); barrier(s1); install(s1, r); barrier(s1); phase = 2; }
      } } }
      property unused: never forwarded(p) when phase == 2;`,
    property: "unused",
    sends: 2,
    isViolated: true,
  },
  {
    name: "a rule is there, though no packet needs it yet",
    reduction: "arrival",
    reason: "tables",
    text: `${pair} controller { on packetIn(p, sw, pt) { install(s1, rule(1, {kind: B}, [])); } }
      property unused: always !installed(s1, rule(1, {kind: B}, []));`,
    property: "unused",
    sends: 1,
    isViolated: true,
  },
  {
    name: "the reply to a barrier of another request comes between a request and its answer",
    reduction: "controller",
    reason: "barriers of OpenFlow",
    text: `${open.replace("{kind: A}", "{kind: any}")} controller { state { heard: bool = false; }
      on packetIn(p, sw, pt) {
        if (p.kind == B) { if (sw == s1) forward([2]); else { install(s1, rule(1, {kind: A}, [])); barrier(s1); drop(); } }
        else { if (heard) error("asked about what is known"); drop(); } }
      on barrierReply(sw) { heard = true; } }`,
    property: "no errors",
    sends: 1,
    isViolated: true,
  },
];
