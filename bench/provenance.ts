/**
 * Provenance beside the published figures: `npm run bench:provenance`.
 *
 * Prints expected and obtained results; exits with 1 if a result that must be exact differs. Figures that the literature
 * gives for information only are not judged.
 */
import { readdirSync } from "node:fs";
import { check, checkFile, firstViolated, overallVerdict, type CheckOptions } from "../src/index.js";
import { inRepository } from "../test/repository.js";
import { checkReference } from "./coverability/reference-run.js";

interface Row {
  readonly what: string;
  readonly expected: string;
  readonly obtained: string;
  readonly isOff: boolean;
}

const rows: Row[] = [];
const judge = (what: string, expected: string, obtained: string, isRight = expected === obtained): void => {
  rows.push({ what, expected, obtained, isOff: !isRight });
  console.log(`${isRight ? "ok " : "OFF"}  ${what.padEnd(52)} ${expected.padEnd(28)} ${obtained}`);
};
const example = (name: string): string => inRepository(`examples/messages/${name}.mpp`);

interface Outcome {
  readonly verdict: string;
  readonly states: number;
  readonly depth: number;
  readonly steps: number;
  readonly by: string;
  readonly seconds: number;
}

async function run(name: string, options: CheckOptions = {}): Promise<Outcome> {
  const report = await checkFile(example(name), options);
  return {
    verdict: overallVerdict(report),
    states: report.runs.at(-1)!.stats.states,
    depth: report.stats.depth,
    steps: firstViolated(report)?.trace?.length ?? 0,
    by: report.scope.by,
    seconds: report.stats.totalSeconds,
  };
}

console.log(`     ${"what".padEnd(52)} ${"expected".padEnd(28)} obtained`);

for (const [options, title, states] of [
  [{ isPlain: true }, "k = 0, statement by statement", 4811],
  [{ reductions: ["dead"] }, "k = 0, dead variables reset", 1786],
  [{}, "k = 0, macro steps", 24],
  [{ counts: [1] }, "k = 1, macro steps", 1458],
  [{ counts: [2] }, "k = 2, macro steps", 8192],
] as const satisfies readonly (readonly [CheckOptions, string, number])[]) {
  const { verdict, states: found } = await run("medical", options);
  judge(`PB-1 medical system, ${title}`, `holds, ${states} states`, `${verdict}, ${found} states`);
}
const ample = await run("medical", { reductions: ["dead", "por"] });
judge(
  "PB-1 medical system, k = 0, ample sets",
  "holds, at most 1635 states",
  `${ample.verdict}, ${ample.states} states`,
  ample.verdict === "holds" && ample.states <= 1635,
);

const mutant = await run("medical-mutant");
judge(
  "PB-2 medical mutant",
  "violated, 3 macro steps of 9",
  `${mutant.verdict}, ${mutant.depth} macro steps of ${mutant.steps}`,
);

for (const [id, name, k0, k1, mutantSteps] of [
  ["PB-4", "health-care", 90, 13122, 4],
  ["PB-7", "bug-tracking", 23, 13122, 6],
] as const) {
  const first = await run(name);
  judge(`${id} ${name}, k = 0`, `holds, ${k0} states`, `${first.verdict}, ${first.states} states`);
  const second = await run(name, { counts: [1] });
  judge(`${id} ${name}, k = 1`, `holds, ${k1} states`, `${second.verdict}, ${second.states} states`);
  const wrong = await run(`${name}-mutant`);
  judge(
    `${id} ${name}, mutant`,
    `violated, ${mutantSteps} macro steps`,
    `${wrong.verdict}, ${wrong.depth} macro steps`,
  );
}

const sis = await run("service-incidents");
judge(
  "PB-9 service incidents, k = 0 (published about 4585)",
  "holds",
  `${sis.verdict}, ${sis.states} states`,
  sis.verdict === "holds",
);
const reopened = await run("service-incidents-mutant");
judge(
  "PB-9 service incidents, mutant",
  "violated, 7 macro steps",
  `${reopened.verdict}, ${reopened.depth} macro steps`,
);

// Stopped early: macro steps make the rest unnecessary.
for (const name of ["bug-tracking", "service-incidents"]) {
  const few = await run(name);
  const plain = await run(name, { isPlain: true, budget: { maxStates: 10 * few.states } });
  const factor = (plain.states / few.states).toFixed(0);
  judge(
    `${name}: macro steps against plain`,
    "at least 5 times fewer",
    `${few.states}; plain ${plain.states} and more, ${factor} times`,
    plain.states >= 5 * few.states,
  );
}

for (const n of [1, 2, 3, 4, 5]) {
  const text = `message tok, b; channel ch;
    principal P { var p; p = tok; ${"send(ch, p); ".repeat(n)} halt; }
    principal Q { var q, x; ${"recv(ch, q); ".repeat(n + 1)} x = b(q); }
    property clean: provenance(Q.x) in eps;`;
  const report = await check({ file: "token.mpp", text });
  const below = report.runs.filter(({ counting }) => counting?.outcome === "spurious trace").length;
  judge(
    `PB-10 Token-${n}`,
    `holds at k = ${n}, ${n} spurious`,
    `${overallVerdict(report)} at ${report.scope.by.split(", ")[1] ?? ""}, ${below} spurious`,
  );
}

let leaks = 0;
let slowest = 0;
// Loads the compiler, whose time does not count.
await checkFile(inRepository("examples/extensions/6-form-history/manifest.json"));
for (const name of readdirSync(inRepository("examples/extensions")).sort()) {
  const report = await checkFile(inRepository(`examples/extensions/${name}/manifest.json`));
  const isLeak = overallVerdict(report) === "violated";
  if (isLeak) leaks++;
  slowest = Math.max(slowest, report.stats.totalSeconds);
  const expected = Number(name[0]) <= 5 ? "leak" : "safe";
  judge(`PB-11 ${name}`, expected, isLeak ? "leak" : overallVerdict(report) === "holds" ? "safe" : "unknown");
}
judge("PB-11 nine extensions", "5 leaks", `${leaks} leaks`);
console.log(`     slowest extension: ${slowest.toFixed(2)} s`);

console.log("\nCB-1, CB-2 and CB-3, with i:");
if (!checkReference())
  rows.push({ what: "CB-1 to CB-3", expected: "as published", obtained: "see above", isOff: true });

const off = rows.filter(({ isOff }) => isOff).length;
console.log(`${rows.length - off} of ${rows.length} as expected`);
process.exitCode = off > 0 ? 1 : 0;
