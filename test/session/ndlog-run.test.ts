/** Random and guided runs of NDLog by its interpreter: steps obey rules and constraints, violations replay. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkJson } from "../../src/report/index.js";
import { checkInput, load, Random, registry, replayInput, type SteppedRun } from "../../src/session/index.js";
import { inRepository } from "../repository.js";

const BALANCER = inRepository("examples/declarative/balancer.ndlog");
const readFile = (file: string): string => readFileSync(file, "utf8");
const balancer = { file: BALANCER, text: readFile(BALANCER), readFile };

async function open(text: string, seed = 1, schedule?: string): Promise<SteppedRun> {
  const input = text === "balancer" ? balancer : { file: "m.ndlog", text };
  const { simulate } = await load(input, { run: "simulate" }, registry);
  const run = simulate?.(seed, schedule);
  if (!run || "problem" in run) throw new Error(run?.problem ?? "nothing to run");
  return run;
}

/** Random steps, to the end or a violation. */
function wander(run: SteppedRun, seed: number): SteppedRun {
  const random = new Random(seed);
  while (run.ending().kind === "open" && run.choices.length < run.usualSteps)
    run.take(random.below(run.count));
  return run;
}

const tuples = (run: SteppedRun): string[] => run.values().map(({ name }) => name);

test("a random run derives tuples, and replays as a schedule", { timeout: 240_000 }, async () => {
  const actions: string[] = [];
  for (const seed of [1, 2, 3, 4, 5]) {
    const run = wander(await open("balancer", seed), seed);
    expect(run.choices.length).toBeGreaterThan(5);
    const { schedule } = run.narrative();
    const again = await replayInput(balancer, { schedule }, {}, registry);
    expect(again.diagnostics).toEqual([]);
    expect(again.outcome).toBe(run.ending().kind === "failed" ? "failed" : "passed");
    expect(again.trace?.steps.map(({ action }) => action)).toEqual(
      run.narrative().steps.map(({ action }) => action),
    );
    actions.push(...run.narrative().steps.map(({ action }) => action));
  }
  expect(actions.some((action) => action.includes("with f_hashIp("))).toBe(true);
});

test("random runs find that two routes have different lengths", async () => {
  const text = `r1 p(@X,V) :- b(@X,V). r2 q(@X,V,W) :- p(@X,V), p(@X,W). property same { q(X,V,W) => V == W }`;
  const failed: string[] = [];
  for (let seed = 1; seed <= 20; seed++) {
    const ending = wander(await open(text, seed), seed).ending();
    if (ending.kind === "failed") failed.push(ending.property.name);
  }
  expect(failed).toContain("same");
});

test("base tuples obey the constraints", async () => {
  const text = `r1 p(@X) :- b(@X,Y). constraint c { b(X,Y) => X == Y + 3 } constraint key { b(X,Y), b(Z,W) => X == Z }
    property none { p(X), X == 99 => exists Y: b(X,Y) }`;
  for (let seed = 1; seed <= 10; seed++) {
    const base = tuples(wander(await open(text, seed), seed)).filter((tuple) => tuple.startsWith("b("));
    for (const tuple of base) {
      const [x = 0, y = 0] = tuple.match(/\d+/g)?.map(Number) ?? [];
      expect(x).toBe(y + 3);
    }
    expect(base.length).toBeLessThanOrEqual(1);
  }
});

test("a rule whose function is not analysed does not fire, and a property about it is not judged", async () => {
  const text = `r1 p(@X,L) :- b(@X), L := f_size(X). r2 q(@X) :- b(@X). property low { q(X) => f_size(X) > 99 }`;
  for (let seed = 1; seed <= 5; seed++) {
    const run = wander(await open(text, seed), seed);
    expect(tuples(run).some((tuple) => tuple.startsWith("q("))).toBe(true);
    expect(tuples(run).some((tuple) => tuple.startsWith("p("))).toBe(false);
    expect(run.ending().kind).not.toBe("failed");
  }
});

test("undo takes back the step and offers it again", async () => {
  const run = await open("balancer", 7);
  run.take(0);
  const offered = Array.from({ length: run.count }, (_, choice) => run.describe(choice).action);
  run.take(1);
  expect(run.undo()).toBe(true);
  expect(Array.from({ length: run.count }, (_, choice) => run.describe(choice).action)).toEqual(offered);
  expect(run.undo()).toBe(true);
  expect(run.undo()).toBe(false);
  expect(run.values()).toEqual([]);
});

test("a run along a counterexample ends where the property is violated", async () => {
  const { report } = await checkInput(balancer, {}, registry);
  const run = await open("balancer", 1, checkJson(report).trace?.schedule);
  while (run.count > 0 && run.ending().kind === "open") run.take(0);
  expect(run.ending()).toMatchObject({ kind: "failed", property: { name: "affinity" } });
  expect(run.choices).toHaveLength(10);
});
