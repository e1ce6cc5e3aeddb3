/** Representatives, compared with every renaming of a state. */
import { expect, test } from "vitest";
import { compile, compileRecipe, settle, Canonicaliser, ProcessRenamer } from "../../../src/compile/index.js";
import { Sources, Successors, walkRandomly, type Words } from "../../../src/model/index.js";
import type { RepresentativeForm } from "../../../src/model/symmetry.js";
import { planProcesses } from "../../../src/transforms/symmetry/processes/index.js";
import { programOf } from "../../transforms/symmetry/promela-plan.js";

function symmetric(text: string, form: RepresentativeForm = "canonical") {
  const program = programOf(text);
  const settled = settle(program);
  if (typeof settled === "string") throw new Error(settled);
  const { symmetry } = planProcesses(program, settled, form);
  if (!symmetry) throw new Error("nothing is interchangeable");
  const model = compile(program, new Sources());
  const canonicaliser = new Canonicaliser(program, model.layout, symmetry);
  const renamer = new ProcessRenamer(program, model.layout, symmetry);
  const representative = (state: Words): string => {
    const words = state.slice();
    canonicaliser.canonicalise(words, 0, words.length);
    return words.join();
  };
  return { program, model, symmetry, canonicaliser, renamer, representative };
}

const statesOf = ({ model }: ReturnType<typeof symmetric>): Words[] => {
  const seen: Words[] = [];
  walkRandomly(model.system, (state) => seen.push(state.slice()));
  return seen;
};

const permutations = (size: number): number[][] =>
  size === 0
    ? [[]]
    : permutations(size - 1).flatMap((shorter) =>
        Array.from({ length: size }, (_, at) => [...shorter.slice(0, at), size - 1, ...shorter.slice(at)]),
      );

const models: Record<string, string> = {
  "names in variables": `byte turn; byte flag[3]; active [3] proctype P() { byte v; do :: turn = _pid :: v = turn :: flag[v] = 1 - flag[v] od }`,
  "names in messages": `chan q = [3] of { byte, byte }; active [3] proctype P() { byte v; do :: q!_pid,0 :: q?v,_ od }`,
  "names of names": `byte friend[4]; active [4] proctype P() { byte v; do :: friend[_pid] = v :: v = friend[v] :: v = _pid od }`,
  "relations of two": `typedef R { bit g[3] }; R rec[3]; active [3] proctype P() { byte v; do :: rec[_pid].g[v] = 1 - rec[_pid].g[v] :: v = _pid :: rec[v].g[_pid] = 0 od }; byte t`,
  "channels of processes": `chan pool = [2] of { chan }; active [3] proctype P() { chan own = [1] of { byte }; chan c; do :: pool!own :: pool?c -> c!_pid :: own?_ od }`,
  "arrays of channels": `chan box[3] = [1] of { byte }; byte v; active [3] proctype P() { do :: box[_pid]!v :: box[v]?v :: v = _pid od }`,
  "created processes": `byte turn; proctype P(byte id) { byte v; do :: turn = id :: v = turn od } init { atomic { run P(0); run P(1); run P(2) } }`,
  "atomic sequences": `byte turn; active [3] proctype P() { byte v; do :: atomic { turn = _pid; if :: v = turn :: v = _pid fi; turn != 7 } od }`,
};

test.each(Object.keys(models))("%s: one representative for an orbit, and one of it", (name) => {
  const made = symmetric(models[name]!);
  const { symmetry, renamer, representative, canonicaliser } = made;
  const states = statesOf(made)
    .filter((s) => canonicaliser.isSettled(s, 0, s.length))
    .slice(0, 60);
  expect(states.length).toBeGreaterThan(10);
  for (const state of states) {
    const orbit = permutations(symmetry.sets[0]!).map((to) => renamer.renamed(state, [to]));
    const found = new Set(orbit.map(representative));
    expect(found.size).toBe(1);
    expect(orbit.map((one) => one.join())).toContain([...found][0]);
  }
});

test("a normal form is one of the orbit", () => {
  const made = symmetric(models["names of names"]!, "normal");
  for (const state of statesOf(made).slice(0, 60)) {
    const orbit = permutations(4).map((to) => made.renamer.renamed(state, [to]).join());
    expect(orbit).toContain(made.representative(state));
  }
});

test("states that are not settled stay as they are", () => {
  const { program, canonicaliser, symmetry, representative } = symmetric(
    `byte turn; proctype P() { do :: turn = _pid od }
     init { turn = 1; turn = 2; run P(); run P(); do :: false od }`,
  );
  const { recipe } = compile(program, new Sources());
  // As wide as if all processes were there.
  const { steps } = compileRecipe(recipe!, canonicaliser.width);
  const out = new Successors(steps.width);
  steps.initial(out);
  expect(symmetry.sets).toEqual([2]);
  for (let step = 0; step < 3; step++) {
    const state = out.words.slice(0, out.stride);
    out.clear();
    steps.successors(state, 0, out);
    expect(canonicaliser.isSettled(state, 0, state.length)).toBe(false);
    expect(representative(state)).toBe(state.join());
  }
});

test("a state in which a process can still create another is not settled", () => {
  const made = symmetric(`byte x; byte turn; proctype P(byte id) { do :: turn = id od }
    init { run P(0); run P(1); x = 1; if :: x == 0 -> run P(7) :: else fi; do :: false od }`);
  const { steps } = compileRecipe(made.model.recipe!, made.canonicaliser.width);
  const all = statesOf(made).filter((state) => steps.processes(state, 0).length === 3);
  const isSettled = (state: Words): boolean => made.canonicaliser.isSettled(state, 0, state.length);
  expect(all.some(isSettled)).toBe(true);
  expect(all.every(isSettled)).toBe(false);
});

test("a state ends where the next one begins", () => {
  const made = symmetric(models["created processes"]!);
  const { canonicaliser } = made;
  const { width } = canonicaliser;
  const state = statesOf(made)
    .find((s) => canonicaliser.isSettled(s, 0, s.length))!
    .slice(0, width);
  expect(canonicaliser.isSettled(state, 0, width)).toBe(true);
  expect(canonicaliser.isSettled(state, 0, width - 1)).toBe(false);
  expect(canonicaliser.isSettled(Int32Array.of(...state, 0), 0, width + 1)).toBe(true);
  expect(canonicaliser.isSettled(Int32Array.of(...state, 1), 0, width)).toBe(true);
  expect(canonicaliser.isSettled(Int32Array.of(...state, 1), 0, width + 1)).toBe(false);
});

test("a state in which a process was removed is not settled", () => {
  const { canonicaliser, model } = symmetric("byte turn; active [3] proctype P() { turn = _pid }");
  const seen = statesOf({ model } as ReturnType<typeof symmetric>);
  const settled = seen.filter((state) => canonicaliser.isSettled(state, 0, state.length));
  expect(settled.length).toBeGreaterThan(0);
  expect(settled.length).toBeLessThan(seen.length);
  for (const state of settled) expect(model.steps.processes(state, 0)).toHaveLength(3);
});

test("a message that is not there names nobody", () => {
  // Free slots are zero, which is the name of the first process.
  const { representative, model } = symmetric(
    "chan q = [3] of { byte, byte }; active [3] proctype P() { do :: q!_pid,0 :: q?_,_ od }",
  );
  const out = new Successors(model.system.width);
  model.system.initial(out);
  const first = out.words.slice(0, out.stride);
  out.clear();
  model.system.successors(first, 0, out);
  const next = Array.from({ length: out.count }, (_, i) =>
    representative(out.words.slice(i * out.stride, (i + 1) * out.stride)),
  );
  expect(new Set(next).size).toBe(1);
});
