/** Symmetry of Promela in a session: on if sound, off with a reason otherwise, traces of the unreduced model. */
import { expect, test } from "vitest";
import type { CheckReport } from "../../src/report/index.js";
import { checkInput, registry, type CheckOptions } from "../../src/session/index.js";
import { symmetricCase } from "../generators/promela-symmetric.js";
import { compareOrbits, countOrbits } from "../transforms/symmetry/process-orbits.js";
import { testingAll } from "./sampling.js";

async function check(text: string, options: CheckOptions = {}): Promise<CheckReport> {
  const { report } = await checkInput({ file: "model.pml", text }, options, testingAll(registry));
  return report;
}

const forced: CheckOptions = { reductions: ["symmetry"] };

const verdicts = ({ properties }: CheckReport): Record<string, string> =>
  Object.fromEntries(properties.map((p) => [p.property.name, p.verdict]));

const codes = ({ diagnostics }: CheckReport): string[] => diagnostics.map(({ code }) => code);

const notes = ({ diagnostics }: CheckReport): string => diagnostics.map(({ message }) => message).join("\n");

/** Three processes take a lock in turn. */
const lock = (guard: string, more = ""): string => `byte owner = 200; byte inside; byte turn;
  active [3] proctype P() { do :: ${guard} -> owner = _pid; inside++; assert(inside == 1); inside--; owner = 200 :: turn = _pid od }
  ${more}`;

const wrong = lock("owner == 200");
const right = lock("atomic { owner == 200").replace("owner = _pid;", "owner = _pid };");

test("orbits are counted", async () => {
  const report = await check(right, forced);
  expect(verdicts(report)).toEqual({ assertions: "holds", deadlock: "holds" });
  expect(report.runs.map(({ reductions }) => reductions)).toEqual([["symmetry"]]);
  expect(report.stats.states).toBe(countOrbits(right));
  expect((await check(right, { isPlain: true })).stats.states).toBeGreaterThan(2 * report.stats.states);
});

test("a trace keeps the names of processes, and is as short as without", async () => {
  const [reduced, plain] = [await check(wrong, forced), await check(wrong, { isPlain: true })];
  const trace = reduced.properties.find(({ property }) => property.name === "assertions")!.trace!;
  expect(verdicts(reduced)["assertions"]).toBe("violated");
  expect(trace.steps.length).toBe(
    plain.properties.find(({ property }) => property.name === "assertions")!.trace!.steps.length,
  );
  // Two processes are inside at the end: each entered once.
  const entered = trace.steps
    .filter(({ action }) => action.includes("inside++"))
    .flatMap((s) => s.participants);
  expect(new Set(entered).size).toBe(entered.length);
});

test("a deadlock is one after ended processes are removed", async () => {
  const text = `byte turn = 200; active [3] proctype P() { if :: turn == 200 -> turn = _pid :: turn != 200 -> turn == 201 fi }`;
  for (const options of [forced, { isPlain: true }]) {
    const report = await check(text, options);
    expect(verdicts(report)["deadlock"]).toBe("violated");
  }
});

test("properties that tell processes apart are checked on all states", async () => {
  const report = await check(right, {
    ...forced,
    invariants: ["inside < 2", "turn != 1", "owner == 200 || inside < 2"],
    ltl: ["[] (inside < 2)"],
  });
  expect(verdicts(report)).toMatchObject({
    "turn != 1": "violated",
    "inside < 2": "holds",
    "[] (inside < 2)": "holds",
  });
  const runs = new Map(
    report.runs.flatMap((run) => run.properties.map((name) => [name, run.reductions] as const)),
  );
  expect(runs.get("inside < 2")).toEqual(["symmetry"]);
  expect(runs.get("owner == 200 || inside < 2")).toEqual(["symmetry"]);
  expect(runs.get("turn != 1")).toEqual([]);
  expect(runs.get("[] (inside < 2)")).toEqual([]);
  expect(notes(report)).toContain("'turn != 1' needs all states, since it distinguishes processes");
  expect(notes(report)).toContain("'[] (inside < 2)' needs all states, since it looks at executions");
});

test.each(["por", "merge", "dead", "slice"] as const)(
  "asked for beside %s, symmetry takes its place",
  async (other) => {
    const report = await check(right, { reductions: [other, "symmetry"] });
    expect(report.runs.map(({ reductions }) => reductions)).toEqual([["symmetry"]]);
    expect(notes(report)).toContain(`reduction '${other}' is off: symmetry takes its place`);
  },
);

test("symmetry is for those who ask for it or declare it", async () => {
  const all = await check(right, { reducesAtOnce: true });
  expect(all.runs.flatMap(({ reductions }) => reductions)).not.toContain("symmetry");
  const declared = await check(`// everypath: symmetric P\n${right}`, { reducesAtOnce: true });
  expect(declared.runs.map(({ reductions }) => reductions)).toEqual([["symmetry"]]);
  expect(codes(declared)).toEqual([]);
});

test("a declaration that cannot be shown to be true is an error at the statement", async () => {
  const report = await check(
    `/* everypath: symmetric P */\nbyte x;\nactive [2] proctype P() {\n  do :: x = 0 :: x = _pid od\n}`,
  );
  expect(codes(report)).toEqual(["promela/not-symmetric"]);
  expect(report.diagnostics[0]!.message).toContain("`x = 0` singles out 0");
  expect(report.properties).toEqual([]);
});

test.each([
  ["Q", "promela/not-symmetric", "there is no proctype 'Q'"],
  ["P", "promela/not-symmetric", "there are not two of them"],
])("a declaration of %s that means nothing is an error", async (name, code, message) => {
  const report = await check(`/* everypath: symmetric ${name} */ active proctype P() { skip }`);
  expect(codes(report)).toEqual([code]);
  expect(notes(report)).toContain(message);
});

test("a remark that means nothing is an error, unless the preprocessor leaves it out", async () => {
  const text = (remark: string): string => `${remark}\nactive [2] proctype P() { skip }`;
  for (const remark of [
    "// everypath: symetric P",
    "/* everypath: symmetric */",
    "/* everypath: symmetric P Q */",
  ])
    expect(codes(await check(text(remark)))).toEqual(["promela/unknown-remark"]);
  expect(codes(await check(text("#if 0\n/* everypath: symetric P */\n#endif")))).toEqual([]);
  expect(codes(await check(text("/* Seen by everypath: nothing. */")))).toEqual([]);
});

test("without a declaration the reason is a note", async () => {
  const report = await check("byte x; active [2] proctype P() { do :: x = 0 :: x = _pid od }", forced);
  expect(codes(report)).toEqual(["session/reduction-off"]);
  expect(notes(report)).toContain("processes of 'P' are not interchangeable: `x = 0` singles out 0");
  expect(report.runs.flatMap(({ reductions }) => reductions)).toEqual([]);
  const single = await check("active proctype P() { skip }", forced);
  expect(notes(single)).toContain("no two processes are of the same type");
});

test("random models: the answers of the plain search, and as many representatives as orbits", async () => {
  let reduced = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const asked = symmetricCase(seed);
    const outcome = await compareOrbits(asked);
    if (outcome.kind !== "compared") continue;
    expect(outcome.difference, `npm run fuzz:symmetry -- --show ${seed}`).toBe(undefined);
    if (outcome.isReduced) reduced++;
  }
  expect(reduced).toBeGreaterThan(15);
}, 240_000);
