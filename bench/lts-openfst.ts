/**
 * Minimisation of a deterministic system with 1.2 million transitions beside `fstminimize`, by processor time; both read the system from memory or a compiled file. States
 * are copies of a smaller system, so that most of them are equivalent.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partitioning } from "../src/engines/lts/index.js";
import { LtsBuilder, processorMs, type Lts } from "../src/model/index.js";
import { nth } from "../src/model/known.js";
import { Random } from "../src/session/index.js";

const STATES = 200_000;
const LETTERS = 6;
const CLASSES = 40_000;

/** Copy `i` of class `c` is state `i * CLASSES + c`; targets are random copies. */
function copies(): Lts {
  const random = new Random(7);
  const builder = new LtsBuilder();
  const letters = Array.from({ length: LETTERS }, (_, i) => builder.labels.of(`a${i}`));
  const targets = Array.from({ length: CLASSES * LETTERS }, () => random.below(CLASSES));
  // A few classes refuse a letter, so that classes differ.
  const isMissing = Array.from({ length: CLASSES * LETTERS }, () => random.below(50) === 0);
  for (let s = 0; s < STATES; s++)
    for (let a = 0; a < LETTERS; a++) {
      const at = (s % CLASSES) * LETTERS + a;
      if (nth(isMissing, at)) continue;
      builder.add(s, nth(letters, a), random.below(STATES / CLASSES) * CLASSES + nth(targets, at));
    }
  return builder.finish(STATES, [0]);
}

export function measureOpenFst(): void {
  const lts = copies();
  const begun = processorMs();
  const slices = partitioning(lts, "strong");
  while (slices.advance(Infinity));
  const { quotient } = slices.result();
  const ours = processorMs() - begun;
  const directory = mkdtempSync(join(tmpdir(), "everypath-fst-"));
  try {
    const theirs = openFst(lts, directory);
    if (!theirs) return console.log("SKIPPED: fstminimize (libfst-tools) is not installed");
    const isMet = ours <= theirs.ms;
    console.log(
      `deterministic, ${lts.states} states, ${lts.targets.length} transitions: ours ${Math.round(ours)} ms -> ${quotient.states}/${quotient.targets.length}; ` +
        `fstminimize ${Math.round(theirs.ms)} ms -> ${theirs.states}/${theirs.arcs} (reachable states): expected not slower; obtained ${(ours / theirs.ms).toFixed(2)}x: ${isMet ? "met" : "MISSED"}`,
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function openFst(
  lts: Lts,
  directory: string,
): { readonly ms: number; readonly states: number; readonly arcs: number } | undefined {
  const lines: string[] = [];
  for (let s = 0; s < lts.states; s++) {
    for (let t = nth(lts.firsts, s); t < nth(lts.firsts, s + 1); t++)
      lines.push(`${s} ${nth(lts.targets, t)} ${nth(lts.actions, t)}`);
    lines.push(`${s}`);
  }
  writeFileSync(join(directory, "a.txt"), `${lines.join("\n")}\n`);
  const run = (command: string): string | undefined => {
    const { status, stdout, stderr } = spawnSync("bash", ["-c", command], {
      cwd: directory,
      encoding: "utf8",
    });
    return status === 0 ? stdout + stderr : undefined;
  };
  if (run("fstcompile --acceptor a.txt | fstarcsort > a.fst") === undefined) return undefined;
  const time = run("TIMEFORMAT='%U %S'; time fstminimize a.fst m.fst");
  const info = run("fstinfo m.fst");
  if (time === undefined || info === undefined) return undefined;
  const [user = 0, system = 0] = time.trim().split(/\s+/).map(Number);
  const figure = (name: string): number => Number(new RegExp(`# of ${name}\\s+(\\d+)`).exec(info)?.[1] ?? 0);
  return { ms: 1000 * (user + system), states: figure("states"), arcs: figure("arcs") };
}
