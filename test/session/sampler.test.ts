/** Selection of sampled states, without effect on the search. */
import { describe, expect, test } from "vitest";
import { compile } from "../../src/compile/index.js";
import { LayoutExceeded, Successors, type Model, type System, type Words } from "../../src/model/index.js";
import { checkInput, registry } from "../../src/session/index.js";
import { BrokenReduction, Sampler, sampled } from "../../src/session/pipeline/sampling.js";
import { load } from "../transforms/reduction/reducing.js";

/** State `n` leads to `n + 1`. */
const counting: System = {
  width: 1,
  compareFrom: 0,
  initial: (out) => add(out, 0),
  successors: (state, at, out) => add(out, state[at]! + 1),
  status: () => 1,
};

function add(out: Successors, value: number): void {
  out.words[out.count++ * out.stride] = value;
}

const modelOf = (system: System): Model => ({ system }) as unknown as Model;

function expand({ system }: Model, states: number): void {
  for (let n = 0; n < states; n++) {
    const out = new Successors(1);
    system.successors(Int32Array.of(0, n), 1, out);
    if (out.words[0] !== n + 1) throw new Error("another successor");
  }
}

function numbersAfter(states: number, most = 48): number[] {
  const sampler = new Sampler(most);
  expand(sampler.watching(modelOf(counting)), states);
  return sampler.samples.map(({ state }) => state[0]!);
}

describe("the sample", () => {
  test("of a few states is all of them", () => {
    expect(numbersAfter(40)).toEqual(Array.from({ length: 40 }, (_, n) => n));
  });

  test.each([50, 1000, 12_345, 100_000])("of %i states is even, and some dozens", (states) => {
    const numbers = numbersAfter(states);
    expect(numbers.length).toBeGreaterThanOrEqual(24);
    expect(numbers.length).toBeLessThanOrEqual(48);
    const apart = new Set(numbers.slice(1).map((number, i) => number - numbers[i]!));
    expect(apart.size).toBe(1);
    expect(numbers.at(-1)! + [...apart][0]!).toBeGreaterThan(states - [...apart][0]!);
    expect(numbersAfter(states)).toEqual(numbers);
  });

  test("can be all states", () => {
    expect(numbersAfter(3000, Infinity)).toHaveLength(3000);
  });
});

describe("what is watched", () => {
  const { program, sources } = load(
    "active [2] proctype P() { byte k; do :: k < 9 -> k++ :: else -> k = 0 od }",
  );

  test("a model whose states became smaller, and the one after a wrong guess", () => {
    const sampler = new Sampler(48);
    const smaller = modelOf({
      ...counting,
      successors: () => {
        throw new LayoutExceeded(() => modelOf(counting));
      },
    });
    const watched = sampler.watching({ ...modelOf(counting), compact: () => smaller }).compact!(
      () => new Int32Array(1),
      0,
    );
    let next: Model | undefined;
    try {
      watched.system.successors(Int32Array.of(7), 0, new Successors(1));
    } catch (error) {
      next = (error as LayoutExceeded).retry();
    }
    expand(next!, 3);
    expect(sampler.samples.map(({ state }) => state[0])).toEqual([7, 0, 1, 2]);
    expect(sampler.samples[0]!.model).toBe(smaller);
  });

  test("the system of temporal properties", () => {
    const sampler = new Sampler(48);
    const { temporal } = sampler.watching(compile(program, sources));
    for (const system of [temporal!.system, temporal!.labelled()]) {
      const out = new Successors(system.width);
      system.initial(out);
      const state = out.words.slice(0, out.stride);
      out.clear();
      system.successors(state, 0, out);
      expect(out.count).toBe(2);
    }
    expect(sampler.samples).toHaveLength(2);
  });

  test("random walks, where threads search", async () => {
    const model = compile(program, sources);
    const seen = new Set<string>();
    const test = (state: Words): undefined => void seen.add(state.join());
    const { verify } = await sampled(model, test, { workers: 2, budget: {} }, async () => undefined);
    verify();
    expect(seen.size).toBeGreaterThan(24);
  });
});

test("what a test finds is thrown", async () => {
  const broken = { reduction: "por", condition: "no", shown: [{ name: "x", value: "1" }], processes: [] };
  const search = async (model: Model): Promise<string> => (expand(model, 1), "found");
  const { found, verify } = await sampled(
    modelOf(counting),
    () => broken,
    { workers: 1, budget: {} },
    search,
  );
  expect(found).toBe("found");
  expect(verify).toThrow(BrokenReduction);
});

test("rules that fire in a test are not counted, and what is known of states stays", async () => {
  const text = `type S: scalarset(3); var a: array[S] of boolean;
startstate begin for i: S do a[i] := false; end; end;
ruleset i: S do rule "flip" begin a[i] := !a[i]; end; end;`;
  const asked = { reductions: ["symmetry"] as const };
  const { report } = await checkInput({ file: "m.m", text }, asked, registry);
  expect(report.stats).toMatchObject({ states: 4, transitions: 12, rumur: { rulesFired: 12 } });
});
