/** Guarded commands with finitely many states: the model against the concrete semantics, and the searches against the solvers' engines. */
import { expect, test } from "vitest";
import { compileGuarded, whyNoStates } from "../../src/compile/guarded.js";
import { fire, isInitial, isTrue, type GuardedProgram, type GuardedState } from "../../src/model/index.js";
import { checkJson } from "../../src/report/index.js";
import { checkInput, registry, replayInput, type CheckOptions } from "../../src/session/index.js";
import { programOf } from "../engines/guarded/analyse.js";
import { randomGuarded } from "../generators/guarded.js";

const RANGE = { low: -1, high: 3 };

/** Reachable states, obviously. */
function reachable(program: GuardedProgram): readonly GuardedState[] {
  let first: readonly GuardedState[] = [[]];
  for (const { range, initial } of program.variables) {
    const { low, high } = range ?? { low: 0n, high: 0n };
    const values =
      initial === undefined
        ? Array.from({ length: Number(high - low) + 1 }, (_, index) => low + BigInt(index))
        : [initial];
    first = first.flatMap((state) => values.map((value) => [...state, value]));
  }
  const states = first.filter((state) => isInitial(program, state));
  const seen = new Set(states.map((state) => state.join()));
  for (const state of states)
    for (const transition of program.transitions.filter(({ guard }) => isTrue(guard, state))) {
      const next = fire(transition, state, []);
      if (seen.has(next.join())) continue;
      seen.add(next.join());
      states.push(next);
    }
  return states;
}

async function checked(text: string, options: CheckOptions) {
  const { report } = await checkInput({ file: "m.gcl", text }, options, registry);
  return { report: checkJson(report) };
}

test("searches visit the states of the concrete semantics, and every trace replays", async () => {
  const verdicts: string[] = [];
  for (let seed = 1; seed <= 60; seed++) {
    const text = randomGuarded(seed, RANGE);
    const program = programOf(text);
    const states = reachable(program);
    const [property] = program.properties;
    const isSafe = states.every((state) => property === undefined || isTrue(property.condition, state));
    for (const options of [{}, { search: "dfs" }, { reductions: ["por"] }] as const) {
      const { report } = await checked(text, { engine: "explicit", ...options });
      expect(report.verdict, `seed ${seed}`).toBe(isSafe ? "holds" : "violated");
      verdicts.push(report.verdict);
      if (isSafe && !("reductions" in options))
        expect(report.stats.states, `seed ${seed}`).toBe(states.length);
      const schedule = report.trace?.schedule;
      if (schedule === undefined) continue;
      const replayed = await replayInput({ file: "m.gcl", text }, { schedule }, {}, registry);
      expect(replayed.outcome, `seed ${seed}`).toBe("failed");
    }
  }
  expect(new Set(verdicts).size).toBe(2);
});

test(
  "explicit, ase and chc agree on finite programs, and their runs are traces of the model",
  { timeout: 120_000 },
  async () => {
    const seen: Record<string, number> = {};
    for (let seed = 101; seed <= 112; seed++) {
      const text = randomGuarded(seed, { low: -1, high: 2 });
      const truth = (await checked(text, { engine: "explicit" })).report.verdict;
      for (const engine of ["ase", ...(seed % 4 === 0 ? ["chc"] : [])]) {
        const { report } = await checked(text, { engine, budget: { timeMs: 5000 } });
        if (report.verdict === "unknown") continue;
        expect(report.verdict, `seed ${seed} ${engine}`).toBe(truth);
        seen[`${engine} ${truth}`] = (seen[`${engine} ${truth}`] ?? 0) + 1;
        const schedule = report.trace?.schedule;
        if (schedule === undefined) continue;
        expect((await replayInput({ file: "m.gcl", text }, { schedule }, {}, registry)).outcome).toBe(
          "failed",
        );
      }
    }
    expect(Object.keys(seen)).toEqual(expect.arrayContaining(["ase holds", "ase violated"]));
  },
);

test("assignments are simultaneous: a swap, and the ticket 5", async () => {
  const swap = "var x : 0..9 = 3; var y : 0..9 = 7; t: x != y -> x := y, y := x; reach r: x == 7 && y == 3;";
  expect((await checked(swap, { engine: "explicit" })).report.verdict).toBe("violated");
  const ticket =
    "var a : 0..9 = 0; var t : 0..9 = 5; go: t == 5 -> a := t, t := t + 1; reach r: a == 5 && t == 6;";
  expect((await checked(ticket, { engine: "explicit" })).report.verdict).toBe("violated");
});

test("the stores of states work on guarded commands", async () => {
  const text = randomGuarded(7, RANGE);
  const { report } = await checked(text, { engine: "explicit" });
  for (const options of [{ store: "tree" }, { store: "delta" }] as const) {
    const other = (await checked(text, { engine: "explicit", ...options })).report;
    expect([other.verdict, other.stats.states]).toEqual([report.verdict, report.stats.states]);
  }
});

test("sums beyond 32 bits, unbounded integers and too many first states are not compiled", () => {
  const why = (text: string) => whyNoStates(programOf(text));
  expect(why("var x : int = 0; safety s: x >= 0;")).toBe("`x` is an unbounded integer");
  expect(why("var x : 0..60000 = 0; var y : 0..60000 = 0; safety s: 60000 * x + y <= 5;")).toContain(
    "32 bits",
  );
  expect(why("var x : 0..3000000000 = 0; safety s: x >= 0;")).toContain("32 bits");
  expect(why("var x, y, z : 0..99 = *; safety s: x >= 0;")).toContain("1000000 combinations");
  expect(why("var x : 0..30000 = 0; var y : 0..60000 = 0; safety s: 30000 * x + y <= 5;")).toBe(undefined);
});

test("an undefined value begins with what the initial condition allows", () => {
  const model = compileGuarded(programOf("var x, y : 0..3 = *; init x + y == 3; safety s: x >= 0;"));
  expect(model.traceOf({ first: [2n, 1n], steps: [] }).choices).toEqual([2]);
  expect(() => model.traceOf({ first: [2n, 2n], steps: [] })).toThrow("cannot be executed");
});
