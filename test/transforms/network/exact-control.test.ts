/** Networks in which a message to a switch that changes nothing now does so later: `exact-control` must keep it. */
import { expect, test } from "vitest";
import { configOf } from "../../../src/session/reductions/network.js";
import { networkOf } from "../../languages/sdn/loading.js";
import { compareNetwork, explore } from "./compare.js";

const pair = `options { barriers = published; }
network pair { switch s1, s2 ports 1..2; client c1, c2; link c1:1 -- s1:1; link s1:2 -- s2:1; link s2:2 -- c2:1; }
packet { kind: enum {A, B}; }
behaviour client c1 { send {kind: A}; }
`;

const violated = (text: string, names: Parameters<typeof configOf>[0], sendLimit: number): string[] => {
  const found = explore(networkOf(text), { ...configOf(names), sendLimit }, 240_000);
  expect(found.isComplete).toBe(true);
  return [...found.violated];
};

test("a redundant deletion races with an addition in front of one barrier", () => {
  const text = `${pair} controller { state { seen: bool = false; }
    on packetIn(p, sw, pt) { let r = rule(1, {kind: A}, [2]);
      if (sw == s1 && seen) error("asked again");
      if (sw == s1) { remove(s1, r); install(s1, r); barrier(s1); seen = true; } } }`;
  expect(violated(text, [], 2)).toEqual(["no errors"]);
  expect(violated(text, ["barrier", "exact-control"], 2)).toEqual(["no errors"]);
  expect(violated(text, ["barrier", "counter", "exact-control"], Infinity)).toEqual(["no errors"]);
});

test("a redundant addition races with a deletion in front of one barrier", () => {
  const text = `${pair.replace("kind: A", "kind: any")} controller { state { phase: 0..2 = 0; }
    on packetIn(p, sw, pt) { let r = rule(1, {kind: A}, [2]);
      if (p.kind == B && phase == 0) { install(s1, r); barrier(s1); phase = 1; }
      else if (p.kind == B && phase == 1) { install(s1, r); remove(s1, r); barrier(s1); phase = 2; } } }
    property unused: never forwarded(p) when phase == 2;`;
  expect(violated(text, [], 2)).toEqual(["unused"]);
  expect(violated(text, ["barrier", "counter", "exact-control"], Infinity)).toEqual(["unused"]);
});

test("a rule that expires is installed again by a second message", () => {
  const text = `${pair} controller { state { phase: 0..2 = 0; used: bool = false; }
    on packetIn(p, sw, pt) { let r = rule(1, {kind: A}, [2], timeout);
      if (sw == s2) used = true;
      else if (phase == 0) { install(s1, r); install(s1, r); phase = 1; }
      else if (phase == 1 && used) phase = 2; } }
    property unused: never forwarded(p) when phase == 2;`;
  expect(violated(text, [], 4)).toEqual(["unused"]);
  expect(violated(text, ["barrier", "counter", "exact-control"], Infinity)).toEqual(["unused"]);
});

test("the network in which a redundant deletion was lost keeps its violations", () => {
  expect(compareNetwork(61_982).differences).toEqual([]);
});
