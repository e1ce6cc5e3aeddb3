/** What a system file says and nothing understands is refused: it would be a fault that never happens, or a condition that nothing asks. */
import { expect, test } from "vitest";
import { checkText } from "./small.js";

test.each([
  ["always", `alway: { p: () => false }`, "a system has no field 'alway'"],
  ["a fault", `faults: { crash: 1 }`, "a system has no field 'faults.crash'"],
  ["the network", `network: { lossy: true }`, "a system has no field 'network.lossy'"],
  ["an action", `actions: { go: { run: () => {}, limit: 1 } }`, "a system has no field 'actions.go.limit'"],
  ["an order", `network: { order: "random" }`, "'network.order' must be one of: any, fifo"],
  ["who crashes", `faults: { crashes: 1, crashing: ["b"] }`, "'faults.crashing' names 'b', which is no node"],
  ["a link", `network: { links: [["a", "b"]] }`, "'network.links' names 'b', which is no node"],
  [
    "whom an action is for",
    `actions: { go: { on: "b", run: () => {} } }`,
    "'actions.go.on' names 'b', which is no node",
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
