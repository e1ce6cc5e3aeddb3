/** For everything that the gate refuses, a network that shows why: forced, the reduction changes the answer. */
import { describe, expect, test } from "vitest";
import * as models from "../../../bench/sdn/models.js";
import type { NetworkReduction } from "../../../src/transforms/network/index.js";
import { gate } from "../../../src/transforms/network/index.js";
import { configOf } from "../../../src/session/network.js";
import { networkOf } from "../../languages/sdn/loading.js";
import { explore } from "./compare.js";

interface Refusal {
  readonly name: string;
  readonly reduction: NetworkReduction;
  /** Used in both. */
  readonly with?: readonly NetworkReduction[];
  readonly text: string;
  readonly property: string;
  readonly sends?: number;
  /** Why the gate says no. */
  readonly why: RegExp;
}

const pair = `network pair { switch s1, s2 ports 1..2; client c1, c2; link c1:1 -- s1:1; link s1:2 -- s2:1; link s2:2 -- c2:1; }
packet { kind: enum {A, B}; }
behaviour client c1 { send {kind: A}; }
`;

const refusals: readonly Refusal[] = [
  {
    name: "tables are seen between two barriers",
    reduction: "barrier",
    text: `${pair} controller { on packetIn(p, sw, pt) {
      install(s1, rule(1, {kind: A}, [])); barrier(s1); install(s1, rule(2, {kind: B}, [])); barrier(s1); } }
      property both: always !installed(s1, rule(1, {kind: A}, [])) || installed(s1, rule(2, {kind: B}, []));`,
    property: "both",
    why: /flow tables/,
  },
  {
    name: "a packet waits at a client while the controller changes its mind",
    reduction: "client",
    with: ["barrier", "controller", "eager"],
    text: `${pair} controller { state { closed: bool = false; } on packetIn(p, sw, pt) { if (closed) drop(); else forward([2]); } }
      event close when !closed { closed = true; }
      property open: always forall p: packets at clients . !closed;`,
    property: "open",
    why: /relates packets at clients/,
  },
  {
    name: "two packets wait at a client",
    reduction: "client",
    text: `${pair.replace("{kind: A}", "{kind: any}")} controller { on packetIn(p, sw, pt) { forward([2]); } }
      property one: always forall p: packets at clients . forall q: packets at clients . p.kind == q.kind;`,
    property: "one",
    why: /relates packets at clients/,
  },
  {
    name: "a client that answers at once hides that nothing was there",
    reduction: "client",
    text: `network three { switch s1, s2 ports 1..3; client c1, m; link c1:1 -- s1:1; link s1:2 -- m:1; link s1:3 -- s2:1; }
      packet { kind: enum {A, B}; }
      behaviour client c1 { send {kind: A}; }
      behaviour client m { on receive(p) { emit {kind: B}; } }
      controller { on packetIn(p, sw, pt) {
        if (sw == s1 && p.kind == A) { install(s1, rule(1, {kind: B}, [2])); barrier(s1); forward([2, 3]); } } }
      property together: always (forall p: packets at s2 . p.kind != A) || (exists q: packets at s1 . q.kind == B);`,
    property: "together",
    why: /more packets/,
  },
  {
    name: "packets that are never used up repair what asks for a packet",
    reduction: "counter",
    with: ["barrier"],
    text: `${pair} controller { state { seen: bool = false; } on packetIn(p, sw, pt) { seen = true; } }
      property still: always seen -> (exists p: packets at switches . p.kind == A);`,
    property: "still",
    why: /more packets/,
  },
  {
    name: "with several requests at once, one can be overtaken (kappa)",
    reduction: "controller",
    text: models.stale(2),
    property: "fresh",
    why: /kappa = 1/,
  },
  {
    name: "an event's barrier comes between a request and its answer",
    reduction: "controller",
    text: `${pair} controller { state { known: bool = false; } on packetIn(p, sw, pt) { if (known) error("asked about what is known"); } }
      event learn when !known { known = true; install(s1, rule(1, {kind: A}, [])); barrier(s1); }
      property fresh: noUnhandledPacketIn;`,
    property: "fresh",
    with: ["barrier"],
    why: /barriers, which may come between/,
  },
  {
    name: "a request takes its packet away before the controller knows",
    reduction: "controller",
    text: `network m { switch s1 ports 1..2; client c1, m; link c1:1 -- s1:1; link m:1 -- s1:2; }
      packet { kind: enum {S, A, B}; }
      behaviour client c1 { send {kind: S}; }
      behaviour client m { on receive(p) { emit {kind: A}; emit {kind: B}; } }
      controller { state { handled: bool = false; } on packetIn(p, sw, pt) { if (p.kind == S) forward([2]); else handled = true; } }
      property pairs: always (forall p: packets at s1 . p.kind != A) || handled || (exists q: packets at s1 . q.kind == B);`,
    property: "pairs",
    sends: 1,
    why: /more packets/,
  },
  {
    name: "the controller changes its mind before the switch acts",
    reduction: "eager",
    with: ["barrier", "client", "counter", "controller", "preload"],
    text: models.firewall({ switches: 2, traffic: "some", moment: "at execution" }),
    property: "noWrongDrop",
    why: /carries out/,
  },
  {
    name: "the controller changes its mind before the client receives",
    reduction: "eager",
    text: `${pair} controller { state { closed: bool = false; } on packetIn(p, sw, pt) { if (closed) drop(); else forward([2]); } }
      event close when !closed { closed = true; }
      property open: never received(p, c) when closed;`,
    property: "open",
    why: /carries out/,
  },
  {
    name: "a link fails before the switch acts",
    reduction: "eager",
    text: `${pair.replace("link s2:2 -- c2:1", "link s2:2 -- c2:1 fails")}
      controller { state { down: bool = false; }
        on packetIn(p, sw, pt) { if (down) forward([1]); else forward([2]); }
        on portDown(sw, pt) { down = true; } }
      property kept: noBlackHole;`,
    property: "kept",
    why: /lost/,
  },
  {
    name: "a rule is there, though no packet needs it yet",
    reduction: "arrival",
    text: `${pair} controller { on packetIn(p, sw, pt) { install(s1, rule(1, {kind: B}, [])); } }
      property unused: always !installed(s1, rule(1, {kind: B}, []));`,
    property: "unused",
    why: /flow tables/,
  },
  {
    name: "one copy of each packet is not enough",
    reduction: "preload",
    text: models.ssh(false, "c1", "SSH"),
    property: "noSSH",
    sends: 2,
    why: /'counter'/,
  },
  {
    name: "a deletion that is still on its way makes an addition needed",
    reduction: "exact-control",
    text: `${pair.replace("{kind: A}", "{kind: any}")} controller { state { phase: 0..3 = 0; } on packetIn(p, sw, pt) {
      if (phase == 0) { install(s1, rule(1, {kind: A}, [2])); phase = 1; }
      else if (phase == 1 && sw == s2) { remove(s1, rule(1, {kind: A}, [2])); barrier(s1); install(s1, rule(1, {kind: A}, [2])); barrier(s1); phase = 2; }
      else if (phase == 2) { phase = 3; if (p.kind == B && sw == s1) forward([2]); } } }
      property gone: always phase != 2 || installed(s1, rule(1, {kind: A}, [2]));`,
    property: "gone",
    sends: 2,
    why: /'barrier'/,
  },
];

describe("refused with a reason", () => {
  for (const { name, reduction, with: also = [], text, property, sends = Infinity, why } of refusals)
    test(`${reduction}: ${name}`, () => {
      const network = networkOf(text);
      const asked = network.properties.filter((p) => p.name === property);
      const { refused } = gate(network, {
        wanted: [...also, reduction],
        properties: asked,
        sendLimit: sends,
      });
      expect(refused.find((r) => r.name === reduction)?.why).toMatch(why);
      const sendLimit = also.includes("counter") ? sends : Math.min(sends, 2);
      const without = { ...configOf(also), sendLimit };
      const forced = { ...configOf([...also, reduction]), sendLimit };
      const isViolated = explore(network, without, true)!.violated.has(property);
      expect(isViolated).toBe(true);
      if (reduction !== "exact-control")
        expect(explore(network, forced, true)!.violated.has(property)).toBe(false);
    });
});
