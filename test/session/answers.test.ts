/** Answers about the model derived from the search of a reduced one: each condition on a model with few states. */
import { describe, expect, test } from "vitest";
import type { Model, Reduced, Reductions, Trace } from "../../src/model/index.js";
import { load, registry } from "../../src/session/index.js";
import * as explicit from "../../src/session/engines/explicit.js";
import { check as checkBy } from "../../src/session/pipeline/pipeline.js";
import type { EngineRequest, EngineResult, Loaded, StateEngine } from "../../src/session/contracts.js";
import { toyModel, type Toy } from "../engines/explicit/toys.js";
import { requestFor as request } from "./requests.js";

const check = (loaded: Pick<Loaded, "model" | "assumptions">, asked: EngineRequest): Promise<EngineResult> =>
  checkBy(explicit, loaded, asked);

const ending: Toy = {
  initial: [0],
  next: ([n = 0]) => (n < 2 ? [{ to: [n + 1] }] : []),
  isValidEnd: () => true,
};
const broken: Toy = { ...ending, invariants: [([n = 0]) => n !== 2] };
const whole: Toy = { ...ending, invariants: [() => true] };

/** Models with the same properties: an original and its reductions. */
const modelOf = (toy: Toy): Model => {
  const { properties, invariants } = toy.kinds ? covering : ordinary;
  return { ...toyModel(toy), properties, invariants };
};
const ordinary = toyModel(whole);
const covering = toyModel({ ...whole, kinds: ["cover"] });

const reducedTo = (model: Model, more: Partial<Reduced> = {}): Reduced => ({
  model,
  names: ["merge"],
  concretise: (trace) => trace,
  transferCoverage: () => undefined,
  ...more,
});

/** The invariant of `original`, decided on `reduced`. */
async function asked(
  original: Toy,
  reduce: ((wanted: readonly string[]) => Reduced) | undefined,
  {
    loaded = {},
    more = {},
    accepts = (_, { wanted }) => ({ names: wanted, refused: [] }),
  }: {
    loaded?: Pick<Loaded, "assumptions">;
    more?: Partial<EngineRequest>;
    accepts?: Reductions["accepts"];
  } = {},
): Promise<EngineResult> {
  const model = modelOf(original);
  const names = ["por", "slice", "merge"];
  const reductions: Reductions = {
    names,
    proposing: ["por"],
    accepts,
    apply: (_, { wanted }) => reduce!(wanted),
  };
  const text = { model: reduce ? { ...model, reductions } : model, ...loaded };
  return check(text, request(model.invariants, more));
}

const guess = { reason: "it guesses", advice: "" };

const verdictOf = ({ findings }: EngineResult): string => findings.map(({ verdict }) => verdict.kind).join();

describe("what a reduced model says", () => {
  test("is the answer, with how it was proved", async () => {
    const result = await asked(whole, () => reducedTo(modelOf(whole), { by: "abstraction" }));
    expect(result.findings[0]!.verdict).toMatchObject({ kind: "holds", scope: { by: "abstraction" } });
    expect(result.scope.by).toBe("abstraction");
  });

  test("proves nothing where the reduction may lose violations", async () => {
    const result = await asked(whole, () => reducedTo(modelOf(whole), { doubt: guess }));
    expect(result.findings[0]!.verdict).toMatchObject({ kind: "unknown", reason: "it guesses" });
  });

  test("proves nothing where it is in doubt; a violation that can be shown is believed", async () => {
    const doubtful = (toy: Toy, more: Partial<Reduced> = {}): Reduced =>
      reducedTo(modelOf(toy), { doubt: guess, ...more });
    expect(verdictOf(await asked(broken, () => doubtful(broken)))).toBe("violated");
    const concretise = (): never => {
      throw new Error("there is no such run");
    };
    expect(verdictOf(await asked(broken, () => doubtful(broken, { concretise })))).toBe("unknown");
    await expect(asked(broken, () => reducedTo(modelOf(broken), { concretise }))).rejects.toThrow(
      "no such run",
    );
  });

  test("is unknown where its trace stands for nothing, and a finer model is asked", async () => {
    const spurious = reducedTo(modelOf(broken), { concretise: () => undefined });
    expect(verdictOf(await asked(whole, () => spurious))).toBe("unknown");
    const refine = (): Reduced => reducedTo(modelOf(whole));
    expect(verdictOf(await asked(whole, () => ({ ...spurious, refine })))).toBe("holds");
  });

  test("is replaced by that of another model, if the search has disproved what the first rests on", async () => {
    const again = (findings: readonly unknown[]): Reduced | undefined =>
      findings.length > 0 ? reducedTo(modelOf(broken)) : undefined;
    expect(verdictOf(await asked(broken, () => reducedTo(modelOf(whole), { again })))).toBe("violated");
  });
});

describe("which reductions are tried", () => {
  const wantedWith = async (more: Partial<EngineRequest>): Promise<string | undefined> => {
    let seen: readonly string[] | undefined;
    await asked(
      whole,
      (wanted) => {
        seen = wanted;
        return reducedTo(modelOf(whole));
      },
      { more },
    );
    return seen?.join();
  };

  test("what was asked for", async () => {
    expect(await wantedWith({})).toBe("por,slice,merge");
    expect(await wantedWith({ store: "exact", search: "dfs" })).toBe("por,slice,merge");
    expect(await wantedWith({ reductions: [] })).toBeUndefined();
    expect(await wantedWith({ isPlain: true })).toBeUndefined();
  });

  test("no partial order in an order, or with a store, that its proviso cannot use", async () => {
    expect(await wantedWith({ search: "random" })).toBe("slice,merge");
    expect(await wantedWith({ search: "guided" })).toBe("slice,merge");
    expect(await wantedWith({ store: "tree" })).toBe("slice,merge");
    expect(await wantedWith({ store: "bitstate" })).toBe("slice,merge");
  });

  test("candidates are of use in an order that a proviso can go by", () => {
    const isUsed = (more: Partial<EngineRequest>, isTemporal: boolean): boolean =>
      explicit.whyNoCandidates(request([], more), isTemporal) === undefined;
    expect([isUsed({}, false), isUsed({}, true)]).toEqual([true, true]);
    expect([isUsed({ workers: 2 }, false), isUsed({ workers: 2 }, true)]).toEqual([true, false]);
  });

  test("none for a property that needs all states", async () => {
    const refused = [{ name: "merge", why: "it does" }];
    const result = await asked(broken, () => reducedTo(modelOf(whole)), {
      accepts: () => ({ names: [], refused }),
    });
    expect(verdictOf(result)).toBe("violated");
    expect(result.notices.map(({ message }) => message)).toEqual(["reduction 'merge' is off: it does"]);
  });
});

test("what is asked of infinite executions is reduced by itself", async () => {
  const text = "byte x; active proctype A() { x = 1; x = 2 } ltl soon { <> (x == 2) }";
  const loaded = await load({ file: "m.pml", text }, {}, registry);
  const { reductions, ...model } = loaded.model!;
  const reduced: string[] = [];
  const apply: Reductions["apply"] = (properties, asks) => {
    reduced.push(properties.map(({ kind }) => kind).join());
    return reductions!.apply(properties, asks);
  };
  const watched = { ...model, reductions: { ...reductions!, apply } };
  const { findings } = await check({ model: watched }, request(model.properties));
  expect(reduced).toEqual(["deadlock", "ltl"]);
  expect(findings.map(({ property, verdict }) => [property.kind, verdict.kind])).toEqual([
    ["deadlock", "holds"],
    ["ltl", "holds"],
  ]);
});

test("properties share a search, except temporal ones of reduced models", async () => {
  const text =
    "byte x; active proctype A() { x = 1; x = 2; assert(x == 2) } ltl one { <> (x == 2) } ltl two { [] (x < 3) }";
  const { model } = await load({ file: "m.pml", text }, {}, registry);
  const searched = async (more: Partial<EngineRequest>): Promise<string[]> => {
    const groups: string[] = [];
    const counting: StateEngine = {
      ...explicit,
      search: (searched, options) => {
        groups.push(options.properties.map(({ kind }) => kind).join());
        return explicit.search(searched, options);
      },
    };
    await checkBy(counting, { model }, request(model!.properties, more));
    return groups;
  };
  expect(await searched({ isPlain: true })).toEqual(["assertion,deadlock,ltl,ltl"]);
  expect(await searched({ reductions: ["dead"] })).toEqual(["assertion,deadlock", "ltl", "ltl"]);
});

/** One agent cycles; the other could violate the invariant, and may be postponed. */
const turning: Toy = {
  initial: [0, 0],
  width: 2,
  next: ([a = 0, b = 0]) => [{ to: [(a + 1) % 3, b] }, ...(b === 0 ? [{ to: [a, 1] }] : [])],
  invariants: [([, b = 0]) => b === 0],
  isValidEnd: () => true,
};

function proposing(isProvisional = false): Model {
  const model = modelOf(turning);
  const candidates: Model["system"]["candidates"] = {
    propose: (_state, _at, out) => {
      out[0] = 0;
      return 1;
    },
    successorsOf: (_agent, state, at, out) => {
      if (out.count === out.capacity) out.grow();
      out.words.set([(state[at]! + 1) % 3, state[at + 1]!], out.count * out.stride);
      out.flags[out.count++] = 0;
    },
    isProvisional,
  };
  return { ...model, system: Object.assign(Object.create(model.system) as Model["system"], { candidates }) };
}

test.each(["bfs", "dfs"] as const)("partial order puts nothing off forever: %s", async (search) => {
  const names = ["por"];
  const byAgent = (): Reduced => reducedTo(proposing(), { names });
  expect(verdictOf(await asked(turning, byAgent, { more: { search, reductions: names } }))).toBe("violated");
});

test("deadlocks are found whatever is put off, unless the search is to notice more", async () => {
  const names = ["por"];
  const properties = ordinary.properties.filter(({ kind }) => kind === "deadlock");
  const states = async (isProvisional: boolean): Promise<number> =>
    (
      await asked(turning, () => reducedTo(proposing(isProvisional), { names }), {
        more: { properties, reductions: names },
      })
    ).stats.states;
  expect(await states(false)).toBe(3);
  expect(await states(true)).toBe(6);
});

describe("what the answer assumes", () => {
  const assuming = (bound: "asked" | "declared" | undefined) => ({
    loaded: { assumptions: { notes: ["at most two"], bound } },
  });

  test("a bound that was asked for proves nothing", async () => {
    const result = await asked(whole, undefined, assuming("asked"));
    expect([verdictOf(result), result.end, result.scope]).toMatchObject([
      "unknown",
      "bound",
      { kind: "bounded" },
    ]);
    expect(verdictOf(await asked(broken, undefined, assuming("asked")))).toBe("violated");
    const cut = { ...assuming("asked"), more: { budget: { maxDepth: 1 } } };
    expect((await asked(whole, undefined, cut)).scope.kind).toBe("partial");
    const spent = { ...assuming("asked"), more: { budget: { maxStates: 1 } } };
    expect((await asked(whole, undefined, spent)).end).toBe("budget");
  });

  test("a declared one is part of the system, and is said", async () => {
    const result = await asked(whole, undefined, assuming("declared"));
    expect([verdictOf(result), result.end]).toEqual(["holds", "complete"]);
    expect(result.scope).toMatchObject({ kind: "bounded", notes: ["at most two"] });
    expect(result.findings[0]!.verdict).toMatchObject({ scope: { kind: "bounded", notes: ["at most two"] } });
    expect((await asked(whole, undefined, assuming(undefined))).scope).toMatchObject({ kind: "complete" });
  });
});

describe("--check-reduction", () => {
  const compared = { more: { checksReduction: true } };

  test("a reduced search that says otherwise is an error of ours", async () => {
    await expect(asked(broken, () => reducedTo(modelOf(whole)), compared)).rejects.toThrow("disagree");
    const fine = await asked(broken, () => reducedTo(modelOf(broken)), compared);
    expect([verdictOf(fine), fine.notices.map(({ code }) => code)]).toEqual([
      "violated",
      ["session/reduction-checked"],
    ]);
  });

  test("what is unknown disagrees with nothing", async () => {
    const unsound = reducedTo(modelOf(whole), { doubt: guess });
    expect(verdictOf(await asked(broken, () => unsound, compared))).toBe("unknown");
  });
});

test("a shortest trace is that of the model itself", async () => {
  const longer: Toy = {
    ...broken,
    next: ([n = 0]) => (n === 0 ? [{ to: [7] }] : n === 7 ? [{ to: [2] }] : []),
  };
  const direct: Toy = { ...broken, next: ([n = 0]) => (n === 0 ? [{ to: [2] }, { to: [7] }] : []) };
  const concretise = (trace: Trace): Trace => trace;
  const { findings } = await asked(direct, () => reducedTo(modelOf(longer), { concretise }));
  const [{ verdict } = { verdict: undefined }] = findings;
  expect(verdict).toMatchObject({ kind: "violated", trace: { choices: [0] } });
});
