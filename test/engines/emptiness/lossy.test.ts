/** Nested searches with lossy stores, beside the same algorithm with the exact one. */
import { describe, expect, test } from "vitest";
import { check, type CheckOptions, type CheckReport } from "../../../src/index.js";
import { temporalCase } from "../../transforms/reduction/temporal.js";

const ask = (seed: number, options: CheckOptions): Promise<CheckReport> => {
  const { text, formula, property, fairness } = temporalCase(seed);
  return check(
    { file: "random.pml", text },
    {
      ...(formula === undefined ? {} : { ltl: [formula] }),
      properties: [property],
      fairness: fairness === "strong" ? "weak" : fairness,
      reductions: ["dead"],
      search: "dfs",
      ...options,
    },
  );
};

const ample = { tableBytes: 1 << 18 };

describe.each(["bitstate", "compact"] as const)("%s", (store) => {
  test.each(["se05", "cvwy90"])(
    "%s: with enough memory the same states, and the same cycles",
    async (emptiness) => {
      let holding = 0;
      let violated = 0;
      for (let seed = 1; seed <= 10; seed++) {
        const exact = await ask(seed, { emptiness });
        const lossy = await ask(seed, { emptiness, store, storeRequest: ample });
        const { verdict } = exact.properties[0]!;
        const what = `seed ${seed}\n${temporalCase(seed).text}`;
        // A trace was replayed, and shows the violation, or the check would have thrown.
        expect(lossy.properties[0]!.verdict, what).toBe(verdict === "holds" ? "unknown" : "violated");
        if (verdict === "violated") violated++;
        if (verdict !== "holds") continue;
        holding++;
        const [mine, its] = [lossy.runs[0]!, exact.runs[0]!];
        expect(mine.stats.states, what).toBe(its.stats.states);
        if (its.method === emptiness) expect(mine.stats.depth, what).toBe(its.stats.depth);
        expect(mine.store?.kind).toBe(store);
        expect(mine.store?.omissions?.probability).toBeLessThan(0.01);
        expect(lossy.properties[0]!.reason).toContain("nothing was found, but states may have been omitted");
      }
      expect(holding).toBeGreaterThan(1);
      expect(violated).toBeGreaterThan(1);
    },
    120_000,
  );

  test("with little memory states are lost, and that is said", async () => {
    const text = `byte a, b; active proctype P() { do :: a++ od } active proctype Q() { do :: b++ od }`;
    const ltl = "<> [] (a < 300)";
    const report = await check(
      { file: "m.pml", text },
      { ltl: [ltl], properties: [ltl], store, storeRequest: { tableBytes: 4000 }, isPlain: true },
    );
    const [property] = report.properties;
    expect(property!.verdict).toBe("unknown");
    const [run] = report.runs;
    expect(run!.stats.states).toBeLessThan(65_536);
    if (store === "bitstate") expect(run!.store?.omissions?.probability).toBe(1);
    else expect(property!.reason).toContain("the table of the store is full");
  });
});

test("algorithms that must know states refuse, and strong fairness uses the exact store", async () => {
  const text = "byte x; active proctype P() { do :: x = 1 - x od }";
  const ltl = "[] <> (x == 1)";
  const asked = { ltl: [ltl], properties: [ltl], store: "bitstate", storeRequest: ample } as const;
  const refused = await check({ file: "m.pml", text }, { ...asked, emptiness: "cou99" });
  expect(refused.properties[0]).toMatchObject({
    verdict: "unknown",
    reason: "cou99 must identify the state it has found, and the bitstate store cannot: use se05 or cvwy90",
  });
  const strong = await check({ file: "m.pml", text }, { ...asked, fairness: "strong" });
  expect(strong.properties[0]!.verdict).toBe("holds");
  expect(strong.diagnostics.map(({ message }) => message)).toContain(
    "temporal properties are searched with the exact store",
  );
});

test("figures as Spin counts them: one arrival for each run that searched", async () => {
  const text = "byte x; active proctype P() { do :: x = 1 - x od }";
  const several = await check(
    { file: "m.pml", text },
    { ltl: ["[] <> (x == 1)", "[] (x < 2)"], isPlain: true, checksDeadlock: true },
  );
  const { stats, runs } = several;
  expect(runs).toHaveLength(3);
  expect(stats.transitions).toBe(runs.reduce((sum, run) => sum + run.stats.transitions, 0));
  expect(stats.spin!.transitions).toBe(stats.transitions + 3);
  const ltl = "[] <> (x == 1)";
  const nothing = await check(
    { file: "m.pml", text },
    { ltl: [ltl], properties: [ltl], store: "bitstate", emptiness: "cou99" },
  );
  expect(nothing.stats.spin!.transitions).toBe(0);
});
