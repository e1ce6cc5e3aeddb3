/**
 * Compositions beside Spin's verifier, end to end and by processor time: `everypath check` from files to the verdict, against `spin -a`,
 * `gcc -O2` and `pan`, at the largest size that the verifier ends within a minute.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { renderAut } from "../src/languages/aut/index.js";
import { renderVectors } from "../src/languages/aut/vectors.js";
import type { Hierarchy, LtsNetwork } from "../src/model/index.js";

/** Systems of growing size, as Promela and as a network to be composed. */
export interface Family {
  readonly name: string;
  /** The first size, and the distance between sizes. */
  readonly from: number;
  readonly step: number;
  promela(n: number): string;
  network(n: number): LtsNetwork;
  hierarchy(n: number): Hierarchy;
}

const LEAST_TIMES = 10;
const MOST_SECONDS = 60;

export function besideSpin(families: readonly Family[]): void {
  for (const family of families) {
    const { name } = family;
    let best: { readonly n: number; readonly seconds: number; readonly states: string } | undefined;
    for (let n = family.from; ; n += family.step) {
      const found = pan(family, n);
      if (!found || found.seconds > MOST_SECONDS) break;
      best = { n, ...found };
      console.log(
        `${name}, n = ${n}: spin + gcc -O2 + pan ${found.seconds.toFixed(1)} s, ${found.states} states`,
      );
    }
    if (!best) throw new Error(`${name}: pan does not end for n = ${family.from}`);
    const { seconds, verdict } = composition(family, best.n);
    const times = best.seconds / seconds;
    const isMet = times >= LEAST_TIMES && verdict.includes("holds");
    console.log(
      `${name}, n = ${best.n}: everypath ${seconds.toFixed(1)} s, ${verdict}; ${times.toFixed(1)}x faster (at least ${LEAST_TIMES}x): ${isMet ? "met" : "missed"}`,
    );
    if (!isMet) process.exitCode = 1;
  }
}

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "everypath-beside-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Output of a script, and the processor time of all its commands. */
function timed(folder: string, script: string): { readonly text: string; readonly seconds: number } {
  const text = execFileSync("bash", ["-c", `${script}\necho rc $?; times`], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 1 << 26,
  });
  const children = text.trim().split("\n").at(-1) ?? "";
  const spent = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => 60 * Number(minutes) + Number(rest),
  );
  return { text, seconds: spent.reduce((sum, each) => sum + each, 0) };
}

/** Undefined: ended by the limit of time or memory. */
function pan(
  { promela }: Family,
  n: number,
): { readonly seconds: number; readonly states: string } | undefined {
  return inFolder((folder) => {
    writeFileSync(join(folder, "m.pml"), promela(n));
    const { text, seconds } = timed(
      folder,
      `spin -a m.pml && gcc -O2 -DMEMLIM=6000 -o pan pan.c && ulimit -t ${MOST_SECONDS} && ./pan -m10000000 -w24`,
    );
    if (!text.includes("rc 0") || /out of memory|too small|max search depth/.test(text)) return undefined;
    if (!text.includes("errors: 0")) throw new Error(`pan did not end well:\n${text}`);
    return { seconds, states: /(\d+) states, stored/.exec(text)?.[1] ?? "?" };
  });
}

function composition(
  { network, hierarchy }: Family,
  n: number,
): { readonly seconds: number; readonly verdict: string } {
  const cli = resolve("dist/cli/index.js");
  if (!existsSync(cli)) throw new Error("run `npm run build` first");
  return inFolder((folder) => {
    const whole = network(n);
    whole.parts.forEach(({ lts }, i) => writeFileSync(join(folder, `p${i}.aut`), renderAut(lts)));
    const files = whole.parts.map((_, i) => `p${i}.aut`);
    writeFileSync(join(folder, "m.vectors"), renderVectors(whole, files));
    writeFileSync(join(folder, "h.json"), JSON.stringify(hierarchy(n)));
    const { text, seconds } = timed(
      folder,
      `node ${cli} check m.vectors --engine compositional --hierarchy h.json`,
    );
    return { seconds, verdict: text.split("\n")[0] ?? "" };
  });
}
