/**
 * Unknown parts of a system file are refused: they would be faults that never occur, or conditions that are never
 * checked.
 */
import { expect, test } from "vitest";
import { problemsIn } from "../../../src/code/system/declared.js";
import { checkText } from "./small.js";

test.each([
  ["always", `alway: { p: () => false }`, "a system has no field 'alway'"],
  ["a fault", `faults: { crash: 1 }`, "a system has no field 'faults.crash'"],
  ["the network", `network: { lossy: true }`, "a system has no field 'network.lossy'"],
  ["an action", `actions: { go: { run: () => {}, limit: 1 } }`, "a system has no field 'actions.go.limit'"],
  ["an order", `network: { order: "random" }`, "'network.order' must be one of: any, fifo"],
  [
    "who crashes",
    `faults: { crashes: 1, crashing: ["b"] }`,
    "'faults.crashing' names 'b', which is not a node",
  ],
  ["a link", `network: { links: [["a", "b"]] }`, "'network.links' names 'b', which is not a node"],
  [
    "whom an action is for",
    `actions: { go: { on: "b", run: () => {} } }`,
    "'actions.go.on' names 'b', which is not a node",
  ],
])("%s", async (_name, field, message) => {
  const { diagnostics, properties } = await checkText(
    `export default defineSystem({ nodes: { a: () => ({}) }, ${field} } as never);`,
  );
  expect(diagnostics.map((one) => [one.code, one.severity, one.message])).toEqual([
    ["code/bad-declaration", "error", message],
  ]);
  expect(properties).toEqual([]);
});

test("a system without problems is checked", async () => {
  const { diagnostics, properties } = await checkText(
    "export default defineSystem({ nodes: { a: () => ({}) }, always: { p: () => true } } as never);",
  );
  expect(diagnostics).toEqual([]);
  expect(properties.map(({ property, verdict }) => `${property.name} ${verdict}`)).toContain("p holds");
});

const run = (): void => {};
const many = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, run]));
const problems = (fields: object): string[] => problemsIn({ nodes: { a: run, b: run }, ...fields } as never);
const whole = "a whole number of at least 0";

test.each<[string, object, string]>([
  ["no end of crashes", { faults: { crashes: Infinity } }, `'faults.crashes' must be ${whole}`],
  ["half a crash", { faults: { crashes: 0.5 } }, `'faults.crashes' must be ${whole}`],
  ["fewer crashes than none", { faults: { crashes: -1 } }, `'faults.crashes' must be ${whole}`],
  ["a text for a number", { faults: { failures: "1" } }, `'faults.failures' must be ${whole}`],
  ["no end of room", { network: { capacity: Infinity } }, `'network.capacity' must be ${whole}`],
  ["no number of messages", { network: { capacity: null } }, `'network.capacity' must be ${whole}`],
  ["loss", { network: { loss: "yes" } }, `'network.loss' must be true, false or ${whole}`],
  ["no random value", { random: 0 }, "'random' must be a whole number of at least 1"],
  ["half a random value", { random: 1.5 }, "'random' must be a whole number of at least 1"],
  ["a condition without a name", { always: run }, "'always' must be an object of functions"],
  ["a condition that is none", { always: { p: true } }, "'always' must be an object of functions"],
  ["one of several conditions", { always: { p: run, q: 1 } }, "'always' must be an object of functions"],
  ["an end that is no function", { finished: true }, "'finished' must be a function"],
  ["faults that are none", { faults: 1 }, "'faults' must be an object"],
  ["no list of names", { faults: { crashing: "a" } }, "'faults.crashing' must be a list of names"],
  ["a name that is none", { faults: { crashing: ["a", 1] } }, "'faults.crashing' must be a list of names"],
  ["a link of one", { network: { links: [["a"]] } }, "'network.links' must be a list of pairs of names"],
  ["a link of numbers", { network: { links: [[0, 1]] } }, "'network.links' must be a list of pairs of names"],
  ["like nodes", { symmetric: ["a", "b"] }, "'symmetric' must be a list of lists of names"],
  ["budgets", { budgets: { b: Infinity } }, `'budgets' must be an object of whole numbers of at least 0`],
  ["actions", { actions: { go: run } }, "'actions' must be an object of objects"],
  ["an action without code", { actions: { go: {} } }, "'actions.go.run' must be a function"],
  ["whom", { actions: { go: { run, on: 1 } } }, "'actions.go.on' must be a name or a list of names"],
  ["values", { actions: { go: { run, values: [1, NaN] } } }, "'actions.go.values' must be a list of JSON values"],
  ["how often", { actions: { go: { run, times: Infinity } } }, `'actions.go.times' must be ${whole}`],
  ["a field of every object", { constructor: 1 }, "a system has no field 'constructor'"],
  ["a node of every object", { faults: { crashing: ["toString"] } }, "'faults.crashing' names 'toString', which is not a node"],
  ["no nodes", { nodes: undefined }, "'nodes' must be an object of at most 30 functions"],
  ["nodes that are none", { nodes: { a: 1 } }, "'nodes' must be an object of at most 30 functions"],
  ["too many nodes", { nodes: many(31) }, "'nodes' must be an object of at most 30 functions"],
])("%s", (_name, fields, problem) => {
  expect(problems(fields)).toEqual([problem]);
}); // prettier-ignore

test("what means something is no problem", () => {
  expect(problemsIn({ nodes: many(30) } as never)).toEqual([]);
  expect(
    problems({
      network: { capacity: 0, loss: 0, duplicates: 1, order: "fifo", links: [["a", "b"]] },
      faults: { crashes: 0, crashing: ["a"], crashesAt: "any-effect", unsynced: "kept", failing: [], partitions: 1 },
      budgets: { b: 0 },
      actions: { go: { run, when: run, on: "a", values: [1], times: 0, budget: "b" }, stop: { run, on: ["a", "b"] } },
      timers: "in-order",
      random: 1,
      capture: "replay",
      symmetric: [["a", "b"]],
      ignore: ["x"],
      always: { p: run },
      finished: run,
      discard: undefined,
    }),
  ).toEqual([]);
  expect(problems({ network: { loss: true } })).toEqual([]);
}); // prettier-ignore

test("what is no system at all is a problem", () => {
  expect(problemsIn(undefined as never)).toEqual(["a system must be an object"]);
});
