/**
 * Stores on programs: the two published for delta storage, rebuilt (a client and server with servers created on demand,
 * and a sieve), and three protocols with Spin's known memory by storage mode. All on the plain graph.
 */
import { readFileSync } from "node:fs";
import { check } from "../../src/index.js";
import { inRepository } from "../../test/repository.js";
import { plainSpin, runSpinOnText } from "../../test/peers/spin.js";
import { digits, type Checks } from "./checks.js";

const model = (name: string): string =>
  readFileSync(inRepository("bench", "models", "reduction", `${name}.pml`), "utf8");

/** Each client asks twice; a server is created for each request, processes it, answers, and ends. */
const clientServer = (clients: number): string => `
chan ask = [${clients}] of { byte, byte };
chan answers[${clients}] = [1] of { byte };
byte started;

proctype server(byte whose; byte number) {
  byte work[4]; byte done;
  do
  :: done < 4 -> work[done] = number + done; done++
  :: else -> break
  od;
  answers[whose]!work[3]
}

proctype client(byte me) {
  byte number, answer;
  do
  :: number < 2 -> ask!me,number; answers[me]?answer; number++
  :: else -> break
  od
}

active proctype dispatcher() {
  byte whose, number;
  do
  :: started < ${clients} -> run client(started); started++
  :: else -> break
  od;
end: do
  :: ask?whose,number -> run server(whose, number)
  od
}
`;

/** Published: 2 to 5 % of plain memory, less than 10 bytes per state, about three times the time. */
export async function judgePrograms(checks: Checks, isQuick: boolean): Promise<void> {
  const programs = {
    "client and server": clientServer(isQuick ? 2 : 3),
    sieve: model("sieve").replace("#define LIMIT 25", `#define LIMIT ${isQuick ? 12 : 25}`),
  };
  for (const [name, text] of Object.entries(programs)) {
    const run = async (store: "exact" | "delta") => {
      const before = process.cpuUsage();
      const request = { store, isPlain: true, search: "dfs", storeRequest: { deltaDistance: 50 } } as const;
      const report = await check({ file: "program.pml", text }, request);
      return { report, seconds: process.cpuUsage(before).user / 1e6 };
    };
    await run("exact");
    const [plain, delta] = [await run("exact"), await run("delta")];
    const { states, stateBytes = 0 } = delta.report.stats;
    checks.equal(`${name}: states, delta as exact`, plain.report.stats.states, states);
    const explicit = delta.report.runs[0]!.store!.delta!.explicit;
    const bytes = (ENTRY_BYTES * states + stateBytes * explicit) / states;
    checks.report(
      `${name}, ${states} states, distance 50`,
      "less than 10 bytes per state",
      digits(bytes),
      bytes < 10,
    );
    const spinBytes = await vectorOfSpin(text);
    const shares = `${digits((100 * bytes) / (spinBytes ?? NaN))} % of Spin's vectors of ${spinBytes} bytes, ${digits((100 * bytes) / stateBytes)} % of ours of ${stateBytes}`;
    if (spinBytes === undefined)
      checks.leftOut(`${name}: share of plain memory`, "Spin is not there to say how long plain vectors are");
    else checks.report(`${name}: share of plain memory`, "at most 5 %", shares, bytes / spinBytes <= 0.055);
    const times = delta.seconds / plain.seconds;
    checks.report(`${name}: time`, "at most about 3 times", `${digits(times)} times`, times <= 3.4);
  }
}

/** A word for the predecessor and two bytes for the link. */
const ENTRY_BYTES = 6;

async function vectorOfSpin(text: string): Promise<number | undefined> {
  const outcome = await runSpinOnText(text, {
    spin: plainSpin,
    compile: ["SAFETY", "NOREDUCE", "VECTORSZ=8192"],
    depth: 1_000_000,
    timeoutMs: 300_000,
  });
  return outcome.kind === "searched" ? outcome.report.vectorBytes : undefined;
}

/** Spin's bytes per state: plain, collapsed. Excludes its lossy hash compaction and its automaton. */
const SPIN_BYTES = { flowctl: [138, 54], dkr_any: [192, 57], sortpipe: [179, 59] } as const;

export async function judgeProtocols(checks: Checks, isQuick: boolean): Promise<void> {
  for (const [name, [plain, collapsed]] of Object.entries(SPIN_BYTES)) {
    if (isQuick && name === "dkr_any") continue;
    for (const [store, most, of] of [
      ["exact", plain, "plain"],
      ["tree", collapsed, "collapsed"],
      ["delta", collapsed, "collapsed"],
    ] as const) {
      const request = { store, isPlain: true, search: "dfs" } as const;
      const { stats } = await check({ file: `${name}.pml`, text: model(name) }, request);
      const bytes = (stats.tableBytes ?? NaN) / stats.states;
      checks.report(
        `${name}, ${store}: bytes per state, tables included`,
        `at most ${most} (Spin, ${of})`,
        digits(bytes),
        bytes <= most,
      );
    }
  }
}
