/** A system that was wrapped is searched as it is now, not as the step code says that it was. */
import { expect, test } from "vitest";
import { compile } from "../../../src/compile/index.js";
import { search } from "../../../src/engines/explicit/index.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Sources, type Model } from "../../../src/model/index.js";
import { planReductions } from "../../../src/transforms/reduction/index.js";

const TEXT = `byte x; active [2] proctype P() { byte k; do :: k < 3 -> k++ :: k == 3 -> x++; break od }`;
const sources = new Sources();
sources.add("m.pml", TEXT);
const { program } = loadPromela({
  ...{ file: "m.pml", text: TEXT, defines: [], readFile: () => undefined, sources },
  invariants: ["x < 2"],
});
const { candidacy } = planReductions(program!, {
  wanted: ["por"],
  properties: [{ kind: "assertion", name: "assertions", span: undefined }],
  trustsClaims: false,
});
const model: Model = compile(program!, sources, { candidacy });
const { system } = model;

const found = async (wrapped: Model, isReduced = false) => {
  const result = await search(wrapped, {
    ...{ order: "bfs", control: {}, maxErrors: Infinity, checksDeadlock: false, usesStep: true, budget: {} },
    ...{ invariants: [0], checksSite: [], proviso: isReduced ? "queue" : undefined },
  });
  const { backend, states } = result.stats;
  return { backend, states, violations: result.violations.length };
};

const changed = (by: Partial<typeof system>): Model => ({
  ...model,
  system: Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(system), ...Object.getOwnPropertyDescriptors(by) },
  ) as typeof system,
});

test("as it was compiled", async () => {
  expect(await found(model)).toMatchObject({ backend: "webassembly", violations: 1 });
  expect(await found(model, true)).toMatchObject({ backend: "webassembly", violations: 1 });
});

test("with other successors", async () => {
  const stuck = changed({ successors: () => undefined });
  expect(await found(stuck)).toEqual({ backend: "javascript", states: 1, violations: 0 });
  const inherited = {
    ...model,
    system: Object.create(system, { successors: { value: () => undefined } }) as typeof system,
  };
  expect(await found(inherited)).toMatchObject({ backend: "javascript", states: 1 });
});

test("with other invariants", async () => {
  expect(await found({ ...model, holds: () => true })).toMatchObject({
    backend: "javascript",
    violations: 0,
  });
});

test("with other candidates", async () => {
  const { candidates } = system;
  const none = changed({ candidates: { ...candidates!, propose: () => 0 } });
  expect(await found(none, true)).toMatchObject({ backend: "javascript" });
  expect(await found(none)).toMatchObject({ backend: "javascript" });
  const others = changed({
    candidates: { ...candidates!, successorsOf: (...all) => candidates!.successorsOf(...all) },
  });
  expect(await found(others, true)).toMatchObject({ backend: "javascript" });
});

test("step code is for states whose width is known: no process is created, or all are planned", async () => {
  const compiled = (text: string) => {
    const texts = new Sources();
    texts.add("m.pml", text);
    const loaded = loadPromela({
      file: "m.pml",
      text,
      defines: [],
      readFile: () => undefined,
      sources: texts,
    });
    return compile(loaded.program!, texts);
  };
  const created = compiled("byte x; proctype C() { x++ } init { run C(); run C() }");
  expect(created.system.step).toBeUndefined();
  const { store } = await search(created, {
    ...{ order: "bfs", control: {}, maxErrors: 1, checksDeadlock: false, budget: {} },
    ...{ invariants: [], checksSite: [] },
  });
  const planned = created.compact!((i) => store.numbered(i + 1, store.width), store.count);
  expect(planned.system.step).toBeDefined();
  expect(model.system.step).toBeDefined();
});
