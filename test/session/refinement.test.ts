/** Refinement: pairs of systems and specifications, and pairs that cannot be compared. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LtsBuilder, TAU_NAME, type Lts } from "../../src/model/index.js";
import { showsTrace } from "../../src/engines/lts/index.js";
import { checkApart, replayApart } from "../../src/session/apart/index.js";
import { registry } from "../../src/session/registry.js";
import { BEFORE, INSIDE, byObservation, runShowing } from "../../src/session/refinement/observed.js";
import { readInput, type CheckOptions } from "../../src/session/index.js";
import { Random } from "../../src/session/index.js";
import { inRepository } from "../repository.js";

const examples = inRepository("examples/code");
const specificationOf = (name: string): string => `${examples}/refinement/${name}`;

describe("pairs", () => {
  test.each([
    ["two-phase-commit.ts", "decisions.m", "IMPATIENT"],
    ["lease-lock.ts", "fencing.pml", "NO_FENCING"],
    ["replicated-queue.ts", "queue.ts", "GIVES_FIRST"],
    ["commit-recovery.ts", "recovery.pml", "SENDS_FIRST"],
    ["paxos.ts", "consensus.pml", "FORGETFUL"],
  ])("%s refines %s, but not with -D %s", { timeout: 240_000 }, async (system, specification, bug) => {
    const input = readInput(`${examples}/systems/${system}`);
    if (!("text" in input)) throw new Error(`no ${system}`);
    const refines = specificationOf(specification);
    const name = `refines ${refines}`;
    const options = { refines, properties: [name] };
    const { report } = await checkApart(input, options, registry);
    expect(report.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(report.properties).toMatchObject([{ verdict: "holds" }]);
    const broken = await checkApart(input, { ...options, defines: [bug] }, registry);
    const [violated] = broken.report.properties;
    expect(violated).toMatchObject({ verdict: "violated", property: { kind: "refinement" } });
    expect(violated?.reason).toContain("the specification cannot follow");
    // Without its last step, the run is one of the specification.
    const schedule = violated?.trace?.schedule ?? "";
    const judge = (text: string) =>
      replayApart(
        input,
        { schedule: text, expected: expectedBy(name, text) },
        { refines, defines: [bug] },
        registry,
      );
    expect((await judge(schedule)).outcome).toBe("failed");
    expect((await judge(schedule.split(".").slice(0, -1).join("."))).outcome).not.toBe("failed");
  });
});

const expectedBy = (name: string, schedule: string) => ({
  everypath: "",
  format: "everypath-trace-1" as const,
  file: "",
  sourceHash: "",
  options: {},
  reason: "",
  fault: null,
  schedule,
  loopStart: null,
  steps: [],
  property: { name, kind: "refinement" } as const,
});

const system = (fields: string, node = "n = 0; go(): void { this.n++; }"): string => `
import { defineSystem } from "everypath/system";
class Node { ${node} }
export default defineSystem<Node>({
  nodes: { a: () => new Node() },
  actions: { go: { times: 3, run: (a) => a.go() } },
  ${fields}
});`;

const counting = "byte n = 0; active proctype P() { end: do :: n < 3 -> n++ od }";

async function answer(text: string, specification: string, options: CheckOptions = {}, file = "spec.pml") {
  const folder = mkdtempSync(join(tmpdir(), "everypath-refinement-"));
  writeFileSync(join(folder, "system.ts"), text);
  if (file !== "") writeFileSync(join(folder, file), specification);
  const input = readInput(join(folder, "system.ts"));
  if (!("text" in input)) throw new Error("no system");
  const refines = join(folder, options.refines ?? file);
  const { report } = await checkApart(input, { ...options, refines }, registry);
  rmSync(folder, { recursive: true });
  const property = report.properties.find(({ property: { kind } }) => kind === "refinement");
  const problems = report.diagnostics.filter(({ severity }) => severity !== "note");
  return { verdict: property?.verdict, reason: property?.reason, codes: problems.map(({ code }) => code) };
}

const observing = system("observe: ({ nodes }) => ({ n: nodes['a']!.n }),");

describe("observations", { timeout: 120_000 }, () => {
  test("the first one counts", async () => {
    expect(await answer(observing, counting)).toMatchObject({ verdict: "holds", codes: [] });
    expect(await answer(observing, counting.replace("= 0", "= 1"))).toMatchObject({ verdict: "violated" });
  });

  test("atomic sequences show their ends alone", async () => {
    const twice = observing.replace("times: 3", "times: 1").replace("this.n++", "this.n += 2");
    const inside = (body: string): string => `byte n = 0; active proctype P() { ${body} }`;
    expect(await answer(twice, inside("atomic { n++; n++ }"))).toMatchObject({ verdict: "holds" });
    expect(await answer(twice, inside("n++; n++"))).toMatchObject({ verdict: "violated" });
    const byOnes = observing.replace("times: 3", "times: 2");
    expect(await answer(byOnes, inside("atomic { n++; n++ }"))).toMatchObject({ verdict: "violated" });
    expect(await answer(byOnes, inside("n++; n++"))).toMatchObject({ verdict: "holds" });
  });

  test("a system whose steps fail is not judged, unless it shows something wrong before", async () => {
    const failing = observing.replace("this.n++", "if (this.n === 2) throw new Error('no'); this.n++");
    expect(await answer(failing, counting)).toMatchObject({ verdict: "unknown" });
    expect(await answer(failing, counting.replace("n < 3", "n < 1"))).toMatchObject({ verdict: "violated" });
  });

  test("values and names that cannot be compared", async () => {
    const lists = system("observe: ({ nodes }) => ({ n: nodes['a']!.n < 2 ? nodes['a']!.n : [2] }),");
    expect(await answer(lists, counting)).toMatchObject({
      verdict: "unknown",
      codes: ["code/not-supported"],
    });
    const names = system("observe: ({ nodes }) => (nodes['a']!.n < 2 ? { n: nodes['a']!.n } : {}),");
    expect(await answer(names, counting)).toMatchObject({
      verdict: "unknown",
      codes: ["code/not-supported"],
    });
  });

  test("a condition with side effects is found", async () => {
    const changing = system("observe: ({ nodes }) => ({ n: nodes['a']!.n++ }),");
    expect(await answer(changing, counting)).toMatchObject({ codes: ["code/property-mutates"] });
    const outside = system(
      "observe: ({ nodes }) => ({ n: nodes['a']!.look() }),",
      "n = 0; static looks = 0; go(): void { this.n++; } look(): number { Node.looks++; return this.n; }",
    );
    const [one, other] = [await answer(outside, counting), await answer(observing, outside, {}, "spec.ts")];
    expect(one.verdict).not.toBe("holds");
    expect(one.codes).toContain("code/property-mutates");
    expect(other).toMatchObject({ verdict: undefined, codes: ["code/property-mutates"] });
  });

  test("a spent budget is unknown", async () => {
    expect(await answer(observing, counting, { budget: { maxStates: 2 } })).toMatchObject({
      verdict: "unknown",
    });
  });
});

test.each([
  ["no such file", observing, "", "other.pml", "session/no-specification"],
  ["another language", observing, "a", "spec.lts", "session/no-specification"],
  ["syntax", observing, "byte n = ;", "spec.pml", "promela/syntax"],
  ["no observation", system(""), counting, "spec.pml", "session/nothing-observed"],
  ["an empty one", system("observe: () => ({}),"), counting, "spec.pml", "session/nothing-observed"],
  [
    "no such variable",
    observing,
    counting.replaceAll(/\bn\b/g, "m"),
    "spec.pml",
    "session/not-in-specification",
  ],
  ["a list", system("observe: () => ({ n: [] }),"), counting, "spec.pml", "session/not-in-specification"],
  [
    "a specification that fails",
    observing,
    counting.replace("n++", "n++; assert(n < 2)"),
    "spec.pml",
    "session/specification-fails",
  ],
  ["a system without observation", observing, system(""), "spec.ts", "session/nothing-observed"],
  [
    "one that observes more",
    observing,
    system("observe: () => ({ n: 0, m: 0 }),"),
    "spec.ts",
    "session/not-in-specification",
  ],
])("refused: %s", { timeout: 120_000 }, async (_, text, specification, file, code) => {
  const found = await answer(text, specification, { refines: file }, file === "other.pml" ? "" : file);
  expect(found).toMatchObject({ verdict: undefined, codes: [code] });
});

test("a search that omits executions, and a run, are refused", async () => {
  const input = { file: "system.ts", text: observing };
  const { report } = await checkApart(input, { refines: "a.pml", schedules: { by: "delays" } }, registry);
  expect(report.diagnostics).toMatchObject([{ code: "session/not-together" }]);
});

/** Sequences of observations up to a length, by following every run. */
function sequences({ lts, names }: ReturnType<typeof randomSystem>, length: number): Set<string> {
  const found = new Set<string>();
  const met = new Set<string>();
  const visit = (s: number, shown: readonly string[]): void => {
    const name = names[lts.observed.numbers[s]!]!;
    const now = name === INSIDE || name === BEFORE || shown.at(-1) === name ? shown : [...shown, name];
    if (now.length > length || met.has(`${s} ${now.join()}`)) return;
    met.add(`${s} ${now.join()}`);
    if (name !== INSIDE) found.add(now.join());
    for (let t = lts.firsts[s]!; t < lts.firsts[s + 1]!; t++) visit(lts.targets[t]!, now);
  };
  for (const s of lts.initial) visit(s, []);
  return found;
}

function randomSystem(random: Random, withInside: boolean) {
  const builder = new LtsBuilder();
  const states = 2 + random.below(5);
  const names = ["x", "y", "z", ...(withInside ? [INSIDE] : [])];
  for (let i = 0; i < 2 * states; i++)
    builder.add(random.below(states), builder.labels.of(TAU_NAME), random.below(states));
  const numbers = Int32Array.from({ length: states }, (_, s) => random.below(s === 0 ? 3 : names.length));
  const lts = { ...builder.finish(states, [0]), observed: { numbers, names } };
  return { lts, names };
}

test("views of random systems show the sequences of their runs", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const made = randomSystem(new Random(seed), seed % 2 === 0);
    const seen: Lts = byObservation(made.lts, (name) => name);
    const shown = sequences(made, 4);
    const letters = ["x", "y", "z"];
    const all = [1, 2, 3, 4].reduce<string[][]>(
      (so) => [...so, ...so.flatMap((each) => letters.map((letter) => [...each, letter]))],
      [[]],
    );
    for (const trace of new Set(all.filter(({ length }) => length > 0).map((each) => each.join()))) {
      const labels = trace.split(",");
      const repeats = labels.some((label, i) => label === labels[i - 1]);
      if (repeats) continue;
      expect([seed, trace, showsTrace(seen, labels)]).toEqual([seed, trace, shown.has(trace)]);
      if (seed % 2 === 0) continue;
      const way = runShowing(made.lts, (s) => made.names[made.lts.observed.numbers[s]!], labels);
      expect([seed, trace, way !== undefined]).toEqual([seed, trace, shown.has(trace)]);
    }
  }
});
