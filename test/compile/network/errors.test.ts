/** Errors that handlers report, wherever they run; and links, which fail once. Quick, for mutation testing. */
import { expect, test } from "vitest";
import { configOf } from "../../../src/session/network.js";
import { networkOf } from "../../languages/sdn/loading.js";
import { explore } from "../../transforms/network/compare.js";

const pair = (link: string): string => `options { barriers = published; }
network pair { switch s1, s2 ports 1..2; client c1, c2; ${link} link s1:2 -- s2:1; link s2:2 -- c2:1; }
packet { kind: enum {A, B}; }
behaviour client c1 { send {kind: A}; }
`;
const whole = pair("link c1:1 -- s1:1;");
const failing = pair("link c1:1 -- s1:1 fails;");

function errorsOf(text: string, property = "no errors"): boolean {
  const config = { ...configOf([]), sendLimit: 1 };
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

test("of two rules that match alike", () => {
  const controller = (priority: number): string => `controller {
    on packetIn(p, sw, pt) { if (sw == s1) { install(s1, rule(1, {}, [2])); install(s1, rule(${priority}, {kind: A}, [])); } drop(); } }
    property ties: noAmbiguousMatch;`;
  const often = whole.replace("send {kind: A};", "send {kind: any};");
  expect(errorsOf(often + controller(1), "ties")).toBe(true);
  expect(errorsOf(often + controller(2), "ties")).toBe(false);
});
