/** A known wrong answer: `exact-control` loses violations, and so its `holds` is withdrawn (`session/network.ts`). */
import { expect, test } from "vitest";
import { configOf } from "../../../src/session/network.js";
import { explore } from "./compare.js";
import { networkFor } from "./networks.js";

test("exact-control loses what two packets of a kind show", () => {
  const network = networkFor(61982);
  const violated = (names: Parameters<typeof configOf>[0], sendLimit: number): ReadonlySet<string> =>
    explore(network, { ...configOf(names), sendLimit }, 30_000).violated;
  expect([...violated([], 2)]).toContain("asked");
  expect([...violated(["barrier", "counter"], Infinity)]).toContain("asked");
  expect([...violated(["barrier", "counter", "exact-control"], Infinity)]).not.toContain("asked");
});
