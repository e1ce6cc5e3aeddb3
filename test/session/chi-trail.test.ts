/** Runs that Spin prints of generated Promela, led back to χ. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { promelaOfChi } from "../../src/compile/chi/promela.js";
import { loadChi } from "../../src/languages/chi/index.js";
import type { ChiProgram } from "../../src/model/index.js";
import { followPrinted, isPrintedRun, parsePrintedRun } from "../../src/session/chi/trail.js";
import { parsePrintedRun as exported, registry, replayInput } from "../../src/session/index.js";
import { describeWithPeers } from "../peers.js";

function programOf(text: string): ChiProgram {
  const { program, diagnostics } = loadChi("t.chi", text);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

/** What `pan` says, and what `spin -t -p` prints. */
function spin(text: string): { readonly verdict: string; readonly printed: string } {
  const folder = mkdtempSync(join(tmpdir(), "everypath-trail-"));
  try {
    writeFileSync(join(folder, "m.pml"), text);
    const run = (command: string): string =>
      execFileSync("bash", ["-c", command], {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
    const verdict = run("spin -a m.pml > /dev/null && gcc -DNOREDUCE -o pan pan.c && ./pan");
    return { verdict, printed: verdict.includes("errors: 0") ? "" : run("spin -t -p m.pml") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const generated = (program: ChiProgram): string => {
  const found = promelaOfChi(program);
  if ("why" in found) throw new Error(found.why);
  return found.text;
};

const STUCK = `var x, y: nat(2) = 0; chan m: nat(2);
system = encap(|[ z: nat(2) = 0 | (m?z; y := z)* ]|; y := 0
  || (x != 2 :-> (m!x; x := x + 1))*; delta);`;

describeWithPeers("spin", ["spin", "gcc"], () => {
  test("a trail becomes a run of χ into the deadlock", async () => {
    const program = programOf(STUCK);
    const { verdict, printed } = spin(generated(program));
    expect(verdict).toContain("pan:1: invalid end state");
    expect(isPrintedRun(printed)).toBe(true);
    const run = followPrinted(program, parsePrintedRun(printed));
    expect(run).toMatchObject({ isStuck: true });
    const report = await replayInput(
      { file: "t.chi", text: STUCK },
      { printed: exported(printed) },
      {},
      registry,
    );
    expect([report.outcome, report.property?.name]).toEqual(["failed", "deadlock"]);
    const changed = followPrinted(programOf(STUCK.replace("x != 2", "x != 1")), parsePrintedRun(printed));
    expect(changed).toHaveProperty("problem");
  }, 60_000);

  test("an endless internal loop is no deadlock", () => {
    const { verdict } = spin(generated(programOf("var x: nat(2) = 0; system = encap(skip* || x := 1);")));
    expect(verdict).toContain("errors: 0");
  }, 60_000);

  test("a value outside its channel or variable fails in Promela as in χ", () => {
    for (const [channel, variable] of [
      [1, 2],
      [2, 1],
    ]) {
      const text = `var x: nat(${variable}) = 0; chan m: nat(${channel}); var y: nat(2) = 2; system = encap(m!y || m?x);`;
      expect(spin(generated(programOf(text))).verdict).toContain("pan:1: assertion violated");
    }
  }, 60_000);
});

test("three components that share a channel in pairs are written, two encapsulations of one channel are not", () => {
  const head = "var x: nat(2) = 0; chan a, b: nat(2);";
  const why = (system: string) => "why" in promelaOfChi(programOf(`${head} system = ${system};`));
  expect(why("encap(a!1 || (a?x; b!x) || b?x)")).toBe(false);
  expect(why("encap(a!1 || a?x) || encap(a!2 || a?x)")).toBe(true);
});

test("a run that ends inside a communication, or that the system cannot take, is refused", () => {
  const program = programOf("var x: nat(2) = 0; chan m: nat(2); system = encap(m!1 || m?x);");
  const lines = promelaOfChi(program);
  if ("why" in lines) throw new Error(lines.why);
  const [send, receive] = [...lines.lines.keys()];
  const follow = (...all: number[]) =>
    followPrinted(program, { steps: all.map((line) => ({ line, statement: 1 })) });
  expect(follow(send, receive)).toMatchObject({ choices: [0] });
  expect(follow(send)).toHaveProperty("problem");
  expect(follow(receive, send)).toHaveProperty("problem");
  expect(follow(1)).toHaveProperty("problem");
});
