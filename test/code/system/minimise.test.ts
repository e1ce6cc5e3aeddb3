/** Minimised traces of deep searches are shorter and still executions of the system. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { minimise, type SystemModel } from "../../../src/code/system/index.js";
import { Entry, Successors, faultSite } from "../../../src/model/index.js";
import { load } from "../../../src/session/load.js";
import { checkInput } from "../../../src/session/check/check.js";
import { registry } from "../../../src/session/registry.js";
import { replayInput } from "../../../src/session/replay/replay.js";
import type { SearchOrder } from "../../../src/session/request.js";
import { checkText, propertyOf } from "./small.js";

const file = `${import.meta.dirname}/../../../examples/code/systems/aodv-ref.ts`;
const input = { file, text: readFileSync(file, "utf8") };

describe("AODV, where the shortest trace has 10 steps", () => {
  test.each<[string, SearchOrder, number | undefined]>([
    ["RL2", "dfs", undefined],
    ["RL3", "dfs", 3],
    ["RL3", "random", undefined],
  ])(
    "%s, %s",
    async (error, search, seed) => {
      // Without reductions, whose start depends on the machine's speed.
      const options = {
        defines: [error],
        search,
        properties: ["loop freedom"],
        reductions: [],
        ...(seed ? { seed } : {}),
      };
      const { report } = await checkInput(input, options, registry);
      const { verdict, trace, foundSteps, violations } = propertyOf(report, "loop freedom");
      expect(verdict).toBe("violated");
      expect(trace!.length).toBeLessThanOrEqual(11);
      expect(violations[0]).toMatchObject({ schedule: trace!.schedule, steps: trace!.length });
      const again = await replayInput(input, { schedule: trace!.schedule }, { defines: [error] }, registry);
      expect([again.outcome, again.property?.name]).toEqual(["failed", "loop freedom"]);
      const whole = (await checkInput(input, { ...options, minimises: false }, registry)).report;
      const found = propertyOf(whole, "loop freedom");
      expect([found.trace!.length, found.foundSteps]).toEqual([foundSteps ?? trace!.length, undefined]);
    },
    60_000,
  );
});

test("what the steps left out would have counted does not matter", async () => {
  // Depth-first search delivers all messages first; numbers of later messages depend on the earlier ones.
  const report = await checkText(
    `class Log { n = 0; constructor(readonly env: Environment) {}
       write() { this.env.send("reader", { type: "line", n: ++this.n }); } }
     class Reader { last = 0; onMessage(_: string, line: any) { this.last = line.n; } ask() { if (this.last > 0) throw new Error("read"); } }
     export default defineSystem<any>({ nodes: { log: (env) => new Log(env), reader: () => new Reader() }, network: { capacity: 1 },
       actions: { write: { on: "log", times: 6, run: (n) => n.write() }, ask: { on: "reader", times: 1, run: (n) => n.ask() } } });`,
    { search: "dfs" },
  );
  const { trace, foundSteps } = propertyOf(report, "exceptions");
  expect(trace!.length).toBe(3);
  expect(foundSteps).toBeGreaterThan(3);
});

test("choices that need not be made are made the ordinary way", async () => {
  const report = await checkText(
    `class A { at = 0; constructor(readonly env: Environment) {}
       go() { this.at = 1; if (this.env.fails("pool")) this.at = 2; } check() { if (this.at > 0) throw new Error("moved"); } }
     export default defineSystem<any>({ nodes: { a: (env) => new A(env) }, faults: { failures: 1 },
       actions: { go: { times: 3, run: (n) => n.go() }, check: { times: 1, when: (n) => n.at > 0, run: (n) => n.check() } } });`,
    { search: "dfs", seed: 5 },
  );
  const { trace } = propertyOf(report, "exceptions");
  expect(trace!.steps.map(({ action }) => action)).toEqual(["go [chooses 0]", "check"]);
});

test("any run to an error: a shorter one to the same error, which can be made", async () => {
  const { model } = await load(input, { defines: ["N=3", "Q=2", "RB=1", "UM1"] }, registry);
  const system = model as SystemModel;
  const property = system.properties.find(({ name }) => name === "exceptions")!;
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
      const found = randomRun(system, numbers, 60);
      if (!found) return;
      const trace = { ...found, loopStart: undefined };
      const shorter = minimise(system, property, trace, () => false);
      expect(shorter.choices.length).toBeLessThanOrEqual(found.choices.length);
      const again = shorter.choices[Symbol.iterator]();
      expect(randomRun(system, again, shorter.choices.length)?.fault).toBe(found.fault);
      expect(minimise(system, property, trace, () => false).choices).toEqual(shorter.choices);
    }),
    { numRuns: 30 },
  );
}, 240_000);

/** Stops at the first fault. */
function randomRun(
  { system }: SystemModel,
  numbers: Iterator<number>,
  most: number,
): { readonly choices: number[]; readonly fault: number } | undefined {
  const out = new Successors(system.width);
  system.initial(out);
  const choices: number[] = [];
  for (let step = 0; step < most && out.count > 0; step++) {
    const state = out.words.slice(0, system.width);
    out.clear();
    system.successors(state, 0, out);
    if (out.count === 0) return undefined;
    const choice = (numbers.next().value as number) % out.count;
    choices.push(choice);
    if (faultSite(out.flags[choice]!) >= 0) return { choices, fault: faultSite(out.flags[choice]!) };
    if ((out.flags[choice]! & Entry.dead) !== 0) return undefined;
    out.words.copyWithin(0, choice * out.stride, (choice + 1) * out.stride);
  }
  return undefined;
}
