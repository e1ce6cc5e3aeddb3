/** Errors that handlers report, wherever they run; and links, which fail once. Quick, for mutation testing. */
import { expect, test } from "vitest";
import { configOf } from "../../../src/session/reductions/network.js";
import { networkOf } from "../../languages/sdn/loading.js";
import { explore } from "../../transforms/network/compare.js";

const pair = (link: string): string => `options { barriers = published; }
network pair { switch s1, s2 ports 1..2; client c1, c2; ${link} link s1:2 -- s2:1; link s2:2 -- c2:1; }
packet { kind: enum {A, B}; }
behaviour client c1 { send {kind: A}; }
`;
const whole = pair("link c1:1 -- s1:1;");
const failing = pair("link c1:1 -- s1:1 fails;");

function errorsOf(text: string, property = "no errors", names: Parameters<typeof configOf>[0] = []): boolean {
  const config = { ...configOf(names), sendLimit: 1 };
  const { violated, isComplete } = explore(networkOf(text), config, 2000, property);
  expect(isComplete || violated.size > 0).toBe(true);
  return violated.has(property);
}

test("of an event", () => {
  const controller = (body: string): string => `controller { state { closed: bool = false; }
    on packetIn(p, sw, pt) { drop(); } }
    event close when !closed { closed = true; ${body} }`;
  expect(errorsOf(whole + controller('error("closed");'))).toBe(true);
  expect(errorsOf(whole + controller(""))).toBe(false);
});

test("of a link that fails, once", () => {
  const controller = (body: string): string => `controller { state { told: bool = false; }
    on packetIn(p, sw, pt) { ${body} drop(); }
    on portDown(sw, pt) { if (told) error("down again"); told = true; } }`;
  expect(errorsOf(failing + controller(""))).toBe(false);
  expect(errorsOf(failing + controller('if (told) error("down before");'))).toBe(true);
  expect(errorsOf(whole + controller('if (told) error("down before");'))).toBe(false);
  expect(errorsOf(failing + controller("").replace("if (told) error", "error"))).toBe(true);
});

test("of a client, which receives in a step of its own or in that of the switch", () => {
  const model = (body: string): string =>
    `${whole} behaviour client c2 { on receive(p) { ${body} } } controller { on packetIn(p, sw, pt) { forward([2]); } }`;
  for (const names of [[], ["client"]] as const) {
    expect(errorsOf(model('error("received");'), "no errors", names)).toBe(true);
    expect(errorsOf(model("emit {kind: B} at s2:2;"), "no errors", names)).toBe(false);
  }
});

test("of packets that are sent through a port that the switch does not have", () => {
  const model = (port: number): string =>
    `${whole} controller { on packetIn(p, sw, pt) { if (sw == s1) forward([${port}]); else forward([2]); } } property kept: noBlackHole;`;
  expect(errorsOf(model(7), "kept")).toBe(true);
  expect(errorsOf(model(2), "kept")).toBe(false);
});

test("of two rules that match alike", () => {
  const controller = (priority: number): string => `controller {
    on packetIn(p, sw, pt) { if (sw == s1) { install(s1, rule(1, {}, [2])); install(s1, rule(${priority}, {kind: A}, [])); } drop(); } }
    property ties: noAmbiguousMatch;`;
  const often = whole.replace("send {kind: A};", "send {kind: any};");
  expect(errorsOf(often + controller(1), "ties")).toBe(true);
  expect(errorsOf(often + controller(2), "ties")).toBe(false);
});

test("of a packet that goes on once its switch has obeyed all barriers", () => {
  const model = (answer: string): string => `${whole} controller { on packetIn(p, sw, pt) {
    if (sw == s1) { install(s1, rule(1, {kind: B}, [2])); ${answer} } else { error("it went on"); } } }`;
  for (const names of [[], ["barrier"]] as const) {
    expect(errorsOf(model("barrier(s1); forward([2]);"), "no errors", names)).toBe(true);
    expect(errorsOf(model("forward([2]); barrier(s1);"), "no errors", names)).toBe(true);
    expect(errorsOf(model("forward([2]);"), "no errors", names)).toBe(true);
    expect(errorsOf(model("barrier(s1); drop();"), "no errors", names)).toBe(false);
  }
});
