/** A killed process gives no verdict, unless a second one reproduces the endless turn. */
import { expect, test } from "vitest";
import { explained, type Ending } from "../../src/session/schedules/run-job.js";

const plan = { prefix: [1], tail: { kind: "first" } } as const;
const hung: Ending = { kind: "hung", plan };
const passed: Ending = {
  kind: "outcome",
  found: 1,
  declared: [],
  replayed: [],
  result: undefined,
  failing: undefined,
};
const failed = { ...passed, failing: { plan } } as unknown as Ending;
const gone: Ending = { kind: "crashed", plan, reason: "it ran out of memory" };

test.each([
  ["it shows the turn", failed, failed],
  ["it passes", passed, hung],
  ["it is gone", gone, hung],
  ["it hangs", hung, hung],
])("a schedule that hung is run again: %s", async (_, second, expected) => {
  const asked: unknown[] = [];
  const again = (which: unknown): Promise<Ending> => (asked.push(which), Promise.resolve(second));
  expect(await explained(hung, again)).toBe(expected);
  expect(asked).toEqual([plan]);
});

test.each([passed, failed, gone])("anything else stands as it is", async (first) => {
  expect(await explained(first, () => Promise.reject(new Error("run twice")))).toBe(first);
});
