/** Selects the temporal properties that threads search; starts none, so it is quick enough for mutation testing. */
import { expect, test } from "vitest";
import type { WorkerSource } from "../../src/engines/explicit/index.js";
import { load, registry } from "../../src/session/index.js";
import { checkTemporal } from "../../src/session/temporal.js";

async function isGivenToThreads(text: string, fairness: "none" | "weak" | "strong"): Promise<boolean> {
  const { model } = await load({ file: "m.pml", text: `${text} ltl { [] <> (x == 0) }` }, {}, registry);
  let isAsked = false;
  const workers: WorkerSource = {
    count: 1,
    start: () => {
      isAsked = true;
      throw new Error("there are no threads");
    },
    make: () => Promise.reject(new Error("there are no threads")),
  };
  const options = { fairness, emptiness: "auto", search: "bfs", budget: {}, control: {}, workers } as const;
  await checkTemporal(model!, model!.temporal!.properties[0]!, options).catch(() => undefined);
  return isAsked;
}

const turning = "byte x; active proctype A() { do :: x = 1 - x od }";
const inside = "byte x; active proctype A() { do :: atomic { do :: x = 1 - x :: break od } od }";

test("threads know no fairness, and do not see who stays inside an atomic sequence", async () => {
  expect(await isGivenToThreads(turning, "none")).toBe(true);
  expect(await isGivenToThreads(turning, "weak")).toBe(false);
  expect(await isGivenToThreads(turning, "strong")).toBe(false);
  expect(await isGivenToThreads(inside, "none")).toBe(false);
  expect(await isGivenToThreads(inside, "weak")).toBe(false);
});
