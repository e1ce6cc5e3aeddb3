/** Temporal properties by several threads: the verdicts of one thread, and traces that show them. */
import { expect, test } from "vitest";
import { checkEmptinessInParallel } from "../../../src/engines/explicit/index.js";
import { checkEmptiness, type EmptinessOptions } from "../../../src/engines/explicit/emptiness/index.js";
import { type Model } from "../../../src/model/index.js";
import { load, registry } from "../../../src/session/index.js";
import { violates } from "../../../src/session/replay/lasso.js";
import { productModel } from "../../../src/transforms/product-model.js";
import { soughtBy } from "../../../src/transforms/ltl/sought.js";
import { checkTemporal } from "../../../src/session/temporal.js";
import { SMALL_SIZES, useThreads } from "./crews.js";

const threads = useThreads();

const promela = async (text: string): Promise<Model> =>
  (await load({ file: "m.pml", text }, {}, registry)).model!;

/** Processes that go round, each at its own pace. */
const rounds = (formula: string): string => `
  byte at[3];
  active [3] proctype p() {
    do :: at[_pid] < 3 -> at[_pid]++ :: at[_pid] == 3 -> atomic { at[_pid] = 2; at[_pid] = 0 } od
  }
  ltl wanted { ${formula} }`;

const options: EmptinessOptions = { algorithm: "auto", conditions: 0, budget: {}, control: {} };

test.each([
  ["[] <> (at[0] == 0)", "violated"],
  ["[] ((at[0] == 1) -> <> (at[0] == 2))", "violated"],
  ["(([] <> (at[0] == 1)) && ([] <> (at[0] == 0))) -> ([] <> (at[0] == 2))", "holds"],
  ["[] (at[1] < 4)", "holds"],
  ["<> [] (at[2] == 0)", "violated"],
  ["[] (at[1] < 3)", "violated"],
])("%s: %s", async (formula, expected) => {
  const model = await promela(rounds(formula));
  const property = model.temporal!.properties[0]!;
  const request = { fairness: "none", emptiness: "auto", search: "bfs", budget: {}, control: {} } as const;
  const { verdict, stats } = await checkTemporal(model, property, { ...request, workers: threads.source(2) });
  expect(verdict.kind).toBe(expected);
  if (verdict.kind === "violated") expect(violates(model, property, verdict.trace!)).toBe(true);
  const alone = await checkTemporal(model, property, request);
  if (expected === "holds") expect(stats.states).toBe(alone.stats.states);
});

test("small sizes and many looks for a cycle give the same answers", { timeout: 240_000 }, async () => {
  const answers = { empty: 0, found: 0 };
  for (const formula of [
    "[] <> (at[0] == 0)",
    "(([] <> (at[0] == 1)) && ([] <> (at[0] == 0))) -> ([] <> (at[0] == 2))",
  ]) {
    const model = await promela(rounds(formula));
    const automaton = soughtBy(model.temporal!.properties[0]!)!;
    const sought = productModel(model, { property: 0, automaton, fairness: "none", stutters: true });
    for (const algorithm of ["cou99", "se05", "gv04"] as const) {
      const asked = { ...options, algorithm, conditions: sought.system.conditions };
      const one = await checkEmptiness(sought.system, asked);
      const two = (await checkEmptinessInParallel(sought, asked, threads.source(2), {
        sizes: { ...SMALL_SIZES, chunkStates: 64 },
        firstCheck: 64,
      }))!;
      expect(two.isEmpty).toBe(one.isEmpty);
      if (two.isEmpty) {
        expect(two.stats.states).toBe(one.stats.systemStates);
        answers.empty++;
      } else {
        expect(two.run!.cycle.length).toBeGreaterThan(0);
        answers.found++;
      }
    }
  }
  expect(answers).toEqual({ empty: 3, found: 3 });
});

test("a budget that is spent is no answer", async () => {
  const model = await promela(
    rounds("(([] <> (at[0] == 1)) && ([] <> (at[0] == 0))) -> ([] <> (at[0] == 2))"),
  );
  const automaton = soughtBy(model.temporal!.properties[0]!)!;
  const sought = productModel(model, { property: 0, automaton, fairness: "none", stutters: true });
  const asked = { ...options, conditions: sought.system.conditions, budget: { maxStates: 20 } };
  const result = await checkEmptinessInParallel(sought, asked, threads.source(2), { sizes: SMALL_SIZES });
  expect(result).toMatchObject({ isEmpty: undefined, stop: "states" });
});
