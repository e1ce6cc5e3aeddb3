/** Verdicts, scope and end of a check, derived from findings: each condition on a model with few states. */
import { describe, expect, test } from "vitest";
import type { Model } from "../../src/model/index.js";
import { search } from "../../src/session/engines/explicit.js";
import { load, registry } from "../../src/session/index.js";
import type { EngineRequest, EngineResult } from "../../src/session/contracts.js";
import { toyModel, type Toy } from "../engines/explicit/toys.js";
import { requestFor } from "./requests.js";

/** 0, 1, 2, and back to 1. */
const loop: Toy = { initial: [0], next: ([n = 0]) => [{ to: [n === 2 ? 1 : n + 1] }] };
const ending: Toy = { initial: [0], next: ([n = 0]) => (n < 2 ? [{ to: [n + 1] }] : []) };

const answer = async (model: Model, kinds: readonly string[], more: Partial<EngineRequest> = {}) =>
  summed(
    await search(
      model,
      requestFor(
        model.properties.filter(({ kind }) => kinds.includes(kind)),
        more,
      ),
    ),
  );

const summed = ({ findings, end, scope, coversAll, runs }: EngineResult) => ({
  verdicts: findings.map(({ property, verdict }) => `${property.kind} ${verdict.kind}`),
  end,
  scope: scope.kind,
  coversAll,
  runs: runs.length,
});

describe("safety", () => {
  test("what was visited whole holds", async () => {
    const model = toyModel({ ...loop, invariants: [([n = 0]) => n < 3] });
    expect(await answer(model, ["invariant"])).toEqual({
      verdicts: ["invariant holds"],
      end: "complete",
      scope: "complete",
      coversAll: true,
      runs: 1,
    });
    expect(await answer(model, [])).toMatchObject({
      verdicts: [],
      end: "complete",
      coversAll: true,
      runs: 1,
    });
  });

  test("a deadlock is one if deadlocks are asked for", async () => {
    const model = toyModel({ ...ending, invariants: [() => true] });
    expect(await answer(model, ["deadlock"])).toMatchObject({ verdicts: ["deadlock violated"] });
    expect(await answer(model, ["invariant"])).toMatchObject({
      verdicts: ["invariant holds"],
      end: "complete",
    });
    expect(await answer(model, ["deadlock"], { maxErrors: 1 })).toMatchObject({
      end: "errors",
      scope: "partial",
      coversAll: false,
    });
  });

  test("deadlocks end nothing where they are not asked for", async () => {
    const model = toyModel({ ...ending, invariants: [([n = 0]) => n < 2] });
    expect(await answer(model, ["invariant"], { maxErrors: 1 })).toMatchObject({
      verdicts: ["invariant violated"],
    });
    const late: Toy = {
      initial: [0],
      next: ([n = 0]) => (n === 0 ? [{ to: [1] }, { to: [2] }] : n === 2 ? [{ to: [3] }] : []),
      invariants: [([n = 0]) => n < 3],
    };
    expect(await answer(toyModel(late), ["invariant"], { maxErrors: 1 })).toMatchObject({
      verdicts: ["invariant violated"],
    });
  });

  test("what was not visited is not known, and why", async () => {
    const model = toyModel({ ...loop, invariants: [() => true] });
    const ends = async (more: Partial<EngineRequest>) => {
      const { verdicts, end, scope, coversAll } = await answer(model, ["invariant"], more);
      return [...verdicts, end, scope, coversAll].join();
    };
    expect(await ends({ budget: { maxStates: 2 } })).toBe("invariant unknown,budget,partial,false");
    expect(await ends({ budget: { maxDepth: 1 } })).toBe("invariant unknown,bound,partial,false");
    expect(await ends({ store: "bitstate" })).toBe("invariant unknown,probable,probabilistic,false");
    expect(await ends({ store: "compact" })).toBe("invariant unknown,probable,probabilistic,false");
    expect(await ends({ store: "tree" })).toBe("invariant holds,complete,complete,true");
  });
});

describe("what is always to stay reachable", () => {
  const goal = (isMet: (n: number) => boolean, toy: Toy = loop): Model =>
    toyModel({ ...toy, invariants: [([n = 0]) => isMet(n)], kinds: ["agef"] });

  test("a limit of depth is the end only where no other search was cut off", async () => {
    const chain: Toy = { initial: [0], next: ([n = 0]) => [{ to: [(n + 1) % 9] }] };
    const conditions = [() => true, ([n = 0]: ArrayLike<number> & Iterable<number>) => n === 0];
    const model = toyModel({ ...chain, invariants: conditions, kinds: ["invariant", "agef"] });
    const ends = async (maxStates: number) =>
      (await answer(model, ["invariant", "agef"], { budget: { maxDepth: 2, maxStates } })).end;
    expect([await ends(4), await ends(100)]).toEqual(["budget", "bound"]);
  });

  test("by a search of its own", async () => {
    expect(
      await answer(
        goal((n) => n === 2),
        ["agef"],
      ),
    ).toMatchObject({
      verdicts: ["agef holds"],
      end: "complete",
      scope: "complete",
      runs: 1,
    });
    expect(
      await answer(
        goal((n) => n === 0),
        ["agef"],
      ),
    ).toMatchObject({
      verdicts: ["agef violated"],
      end: "errors",
      scope: "partial",
    });
    expect(
      await answer(
        goal((n) => n === 2),
        ["agef"],
        { budget: { maxStates: 2 } },
      ),
    ).toMatchObject({
      verdicts: ["agef unknown"],
      end: "budget",
      coversAll: false,
    });
  });

  test("beside the search for errors: states that both visit count once", async () => {
    expect(
      await answer(
        goal((n) => n === 2),
        ["agef", "deadlock"],
      ),
    ).toEqual({
      verdicts: ["deadlock holds", "agef holds"],
      end: "complete",
      scope: "complete",
      coversAll: true,
      runs: 1,
    });
    expect(
      await answer(
        goal((n) => n === 0),
        ["agef", "deadlock"],
      ),
    ).toMatchObject({
      verdicts: ["deadlock holds", "agef violated"],
      end: "errors",
    });
    expect(
      await answer(
        goal((n) => n === 1, ending),
        ["agef", "deadlock"],
        { maxErrors: 1 },
      ),
    ).toMatchObject({ verdicts: ["deadlock violated", "agef violated"], end: "errors", runs: 2 });
    expect(
      await answer(
        goal((n) => n === 2),
        ["agef", "deadlock"],
        { store: "bitstate" },
      ),
    ).toMatchObject({
      verdicts: ["deadlock unknown", "agef holds"],
      end: "probable",
      runs: 2,
      coversAll: false,
    });
  });
});

describe("temporal properties", () => {
  const ask = async (text: string, more: Partial<EngineRequest> = {}) => {
    const { model } = await load({ file: "m.pml", text }, {}, registry);
    const { findings, end, scope, coversAll } = await search(
      model!,
      requestFor(model!.temporal!.properties, more),
    );
    const [{ verdict } = { verdict: undefined }] = findings;
    return [verdict!.kind, end, scope.kind, coversAll].join();
  };
  const turning = "byte x; active proctype A() { do :: x = 1 - x od }";
  const stopping = "byte x; active proctype A() { x = 1; x = 2 }";

  test("only what was asked for, beside what is no temporal property", async () => {
    const two = `${turning} ltl p { [] (x == 0) } ltl q { [] <> (x == 0) }`;
    const { model } = await load({ file: "m.pml", text: two }, {}, registry);
    const asked = async (...names: string[]): Promise<string[]> => {
      const properties = model!.properties.filter(({ name }) => names.includes(name));
      const { findings, end, runs } = await search(model!, requestFor(properties));
      return [
        ...findings.map(({ property, verdict }) => `${property.name} ${verdict.kind}`),
        end,
        ...runs.map((run) => run.properties.join()),
      ];
    };
    expect(await asked("q")).toEqual(["q holds", "complete", "q"]);
    expect(await asked("deadlock", "q")).toEqual(["deadlock holds", "q holds", "complete", "deadlock", "q"]);
    expect(await asked("deadlock", "p")).toEqual(["deadlock holds", "p violated", "errors", "deadlock", "p"]);
  });

  test("finite and infinite violations, and none", async () => {
    expect(await ask(`${turning} ltl { [] (x == 0) }`)).toBe("violated,errors,partial,false");
    expect(await ask(`${turning} ltl { <> [] (x == 0) }`)).toBe("violated,errors,partial,false");
    expect(await ask(`${turning} ltl { [] <> (x == 0) }`)).toBe("holds,complete,complete,false");
    expect(await ask(`${turning} ltl { [] (x < 2) }`)).toBe("holds,complete,complete,false");
  });

  test("an execution that ends goes on as it is; it is no cycle without progress", async () => {
    expect(await ask(`${stopping} ltl { [] <> (x == 1) }`)).toBe("violated,errors,partial,false");
    expect(await ask(`${stopping} ltl { <> [] (x == 2) }`)).toBe("holds,complete,complete,false");
    expect(await ask(`${stopping} never { do :: np_ -> goto accept :: true od; accept: do :: np_ od }`)).toBe(
      "violated,errors,partial,false",
    );
  });

  test("what was not visited is not known", async () => {
    const budget = { maxStates: 1 };
    expect(await ask(`${turning} ltl { [] <> (x == 0) }`, { budget })).toBe("unknown,budget,partial,false");
    expect(await ask(`${turning} ltl { [] (x < 2) }`, { budget })).toBe("unknown,budget,partial,false");
    for (const store of ["bitstate", "compact"] as const) {
      expect(await ask(`${turning} ltl { [] (x < 2) }`, { store })).toBe(
        "unknown,probable,probabilistic,false",
      );
      expect(await ask(`${turning} ltl { [] <> (x == 0) }`, { store })).toBe(
        "unknown,probable,probabilistic,false",
      );
      for (const formula of ["[] (x < 2)", "[] <> (x == 0)"])
        expect(await ask(`${turning} ltl { ${formula} }`, { store, fairness: "strong" })).toBe(
          "holds,complete,complete,false",
        );
    }
  });

  test("stores that lose nothing prove what an exact one does", async () => {
    for (const store of ["exact", "tree", "delta"] as const)
      for (const formula of ["[] (x < 2)", "[] <> (x == 0)"])
        expect(await ask(`${turning} ltl { ${formula} }`, { store })).toBe("holds,complete,complete,false");
  });

  test("a violation that shows after some steps has a shortest trace", async () => {
    const text = "byte x; active proctype A() { if :: x = 1; x = 2; x = 9 :: x = 9 fi }";
    const { model } = await load({ file: "m.pml", text: `${text} ltl { [] (x < 9) }` }, {}, registry);
    const [{ verdict } = { verdict: undefined }] = (
      await search(model!, requestFor(model!.temporal!.properties))
    ).findings;
    expect(verdict).toMatchObject({ kind: "violated", trace: { choices: [expect.any(Number)] } });
  });

  test("a condition that has no value proves nothing", async () => {
    const fails = "byte x, a[2]; active proctype A() { x = 2; do :: x = 2 od }";
    for (const formula of ["[] (a[x] == 0)", "[] <> (a[x] == 0)"])
      expect(await ask(`${fails} ltl { ${formula} }`)).toMatch(/^unknown/);
  });

  test("fairness of more processes than there are agents for", async () => {
    const many = "byte x; active [40] proctype A() { end: x == 1 } active proctype B() { do :: x = 0 od }";
    expect(await ask(`${many} ltl { [] <> (x == 0) }`, { fairness: "weak" })).toMatch(/^unknown/);
    for (const formula of ["[] (x == 1)", "[] (x == 1) && [] <> (x == 0)"])
      expect(await ask(`${many} ltl { ${formula} }`, { fairness: "weak" })).toMatch(/^violated/);
  });

  test("each kind of fairness has its own executions", async () => {
    const now =
      "byte x; bool y; active proctype A() { do :: x = 1 - x od } active proctype B() { x == 1; y = 1 }";
    const answers = await Promise.all(
      (["none", "weak", "strong"] as const).map((fairness) => ask(`${now} ltl { <> y }`, { fairness })),
    );
    expect(answers.map((one) => one.split(",")[0])).toEqual(["violated", "violated", "holds"]);
    // Every step belongs to one process, and no step depends on both moving.
    const both = "byte x; active [2] proctype A() { do :: x = 0 od }";
    for (const fairness of ["none", "weak", "strong"] as const)
      expect(await ask(`${both} ltl { <> (x == 1) }`, { fairness })).toMatch(/^violated/);
  });

  test("a search that is as simple as the automaton allows", async () => {
    const methods = async (formula: string, fairness: "none" | "weak"): Promise<unknown[]> => {
      const { model } = await load({ file: "m.pml", text: `${turning} ltl { ${formula} }` }, {}, registry);
      const { runs } = await search(model!, requestFor(model!.temporal!.properties, { fairness }));
      return runs.map(({ method }) => method);
    };
    expect(await methods("[] (x < 2)", "none")).toEqual(["bfs"]);
    expect(await methods("<> (x == 5)", "none")).toEqual(["dfs"]);
    expect(await methods("<> (x == 5)", "weak")).not.toEqual(["dfs"]);
  });

  test("a weak automaton is one only without fairness", async () => {
    const two = "bool a; active proctype A() { do :: a = !a od } active proctype B() { end: false }";
    for (const fairness of ["none", "weak", "strong"] as const)
      expect(await ask(`${two} ltl { <> [] a }`, { fairness })).toMatch(/^violated/);
    const late = "byte x; active proctype A() { x = 1 } active proctype B() { do :: x == 0 od }";
    for (const fairness of ["weak", "strong"] as const)
      expect(await ask(`${late} ltl { <> (x == 1) }`, { fairness })).toMatch(/^holds/);
    expect(await ask(`${late} ltl { <> (x == 1) }`)).toMatch(/^violated/);
  });
});

describe("a limit of depth", () => {
  /** From 0 to 6 by a long and by a short path; then three steps to 8. */
  const detour: Toy = {
    initial: [0],
    next: ([n = 0]) => (n === 0 ? [{ to: [1] }, { to: [6] }] : [{ to: [n < 8 ? n + 1 : 0] }]),
    invariants: [([n = 0]) => n < 8],
  };
  const within = (maxDepth: number, more: Partial<EngineRequest> = {}) =>
    answer(toyModel(detour), ["invariant"], { budget: { maxDepth }, maxErrors: Infinity, ...more });

  test("is a bound of the answer if everything within it was visited", async () => {
    expect(await within(2)).toMatchObject({ verdicts: ["invariant unknown"], end: "bound" });
    expect(await within(6)).toMatchObject({ verdicts: ["invariant violated"] });
  });

  test("is none if a state was first met by a long way", async () => {
    expect(await within(6, { search: "dfs" })).toMatchObject({
      verdicts: ["invariant unknown"],
      end: "stopped",
      scope: "partial",
    });
    for (const search of ["random", "guided"] as const)
      expect(await within(2, { search })).toMatchObject({ end: "stopped" });
  });

  test("is none with a lossy store", async () => {
    expect(await within(2, { store: "bitstate" })).toMatchObject({ end: "stopped" });
  });

  test("is none for executions without end, nor where steps are put off", async () => {
    const text = `byte x; byte y; active proctype P() { byte l; do :: l < 100 -> l++ :: else -> break od }
      active proctype Q() { x = 1; x = 2; y = 1; assert(false) }`;
    const loaded = await load({ file: "m.pml", text }, { ltl: ["<> (x == 7)"] }, registry);
    const engine = registry.engines.find(({ name }) => name === "explicit")!;
    const ended = async (kind: string, reductions: readonly string[]) =>
      (
        await engine.check(
          loaded,
          requestFor(
            loaded.model!.properties.filter((property) => property.kind === kind),
            { budget: { maxDepth: 6 }, maxErrors: 1, reductions } as Partial<EngineRequest>,
          ),
        )
      ).end;
    expect(await ended("ltl", [])).toBe("stopped");
    expect(await ended("deadlock", [])).toBe("bound");
    expect(await ended("deadlock", ["por"])).toBe("stopped");
  });
});
