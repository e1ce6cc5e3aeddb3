/** Mist's nets, if the user has them: our answers beside the published ones. */
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { Spent, Work, eec, procedures, runAtOnce } from "../../src/engines/coverability/index.js";
import { loadMist } from "../../src/languages/mist/index.js";
import { TokenOverflow, type CoverProperty } from "../../src/model/index.js";

/** By file name: the answer, and the i of expand-enlarge-check if published. */
const published = new Map<string, readonly [answer: "covered" | "uncovered", i?: number]>([
  ["MultiME", ["uncovered", 1]],
  ["basicME", ["uncovered", 1]],
  ["csm", ["uncovered", 1]],
  ["fms", ["uncovered", 1]],
  ["fms_attic", ["uncovered", 3]],
  ["manufacturing", ["uncovered", 0]],
  ["mesh2x2", ["uncovered", 1]],
  ["mesh3x2", ["uncovered"]],
  ["pingpong", ["uncovered", 1]],
  ["lamport", ["uncovered", 1]],
  ["newdekker", ["uncovered", 1]],
  ["newrtp", ["uncovered", 1]],
  ["peterson", ["uncovered", 1]],
  ["read-write", ["uncovered", 5]],
  ["leabasicapproach", ["covered", 1]],
  ["pncsacover", ["covered", 1]],
  ["pncsasemiliv", ["covered", 1]],
]);

/** False if an answer differs from a published one. The i may differ between versions of a file, and is only shown. */
export function checkMistFolder(folder: string, seconds: number): boolean {
  let isGood = true;
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".spec"),
  );
  for (const file of files.toSorted()) {
    const name = basename(file, ".spec");
    const { net, diagnostics } = loadMist(file, readFileSync(join(folder, file), "utf8"));
    if (!net) {
      console.log(`${name.padEnd(22)} refused: ${diagnostics[0]!.code} ${diagnostics[0]!.message}`);
      continue;
    }
    const { alternatives } = net.properties[0] as CoverProperty;
    const answers = procedures.map(({ name: procedure, decide }) => {
      const { answer, ms } = attempt(
        () => runAtOnce(decide(net, alternatives, new Work({ timeMs: seconds * 1000 }))).kind,
      );
      return { procedure, answer, ms };
    });
    const by1 = attempt(() => {
      const work = new Work({ timeMs: seconds * 1000 });
      return `i = ${runAtOnce(eec(net, alternatives, work, { next: (i) => i + 1, concretises: false })).i}`;
    });
    const [expected, i] = published.get(name) ?? [];
    const isSame = answers.every(
      ({ answer }) => answer === "unknown" || expected === undefined || answer === expected,
    );
    isGood &&= isSame;
    const told = answers.map(
      ({ procedure, answer, ms }) => `${procedure} ${answer} ${(ms / 1000).toFixed(2)} s`,
    );
    const wanted = expected
      ? `published: ${expected}${i === undefined ? "" : `, i = ${i}`}`
      : "nothing published";
    console.log(
      `${name.padEnd(22)} ${net.places.length}/${net.transitions.filter((t) => !t.isSource).length}  ${told.join("; ")}; eec by ones: ${by1.answer}; ${wanted} ${isSame ? "" : "DIFFERS"}`,
    );
  }
  return isGood;
}

function attempt(decide: () => string): { readonly answer: string; readonly ms: number } {
  const started = performance.now();
  let answer = "unknown";
  try {
    answer = decide();
  } catch (error) {
    if (!(error instanceof Spent) && !(error instanceof TokenOverflow)) throw error;
  }
  return { answer, ms: performance.now() - started };
}
