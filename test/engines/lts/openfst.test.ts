/** Deterministic systems against OpenFst: sizes of minimal systems, and equality of traces. All states of a system accept: languages are prefix-closed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { comparing } from "../../../src/engines/lts/index.js";
import { minimise } from "../../../src/index.js";
import { LtsBuilder, type Lts } from "../../../src/model/index.js";
import { Random } from "../../../src/session/index.js";
import { describeWithPeers } from "../../peers.js";
import { randomLts } from "./random-lts.js";

const directory = mkdtempSync(join(tmpdir(), "everypath-fst-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const run = (command: string): number | null => spawnSync("sh", ["-c", command], { cwd: directory }).status;

/** The state of the first line is the initial one. Arcs are sorted later: fstminimize keeps equivalent states apart whose arcs differ in order. */
const acceptor = (lts: Lts): string => {
  const lines: string[] = [];
  const order = [lts.initial[0]!];
  for (const s of order) {
    for (let t = lts.firsts[s]!; t < lts.firsts[s + 1]!; t++) {
      lines.push(`${s} ${lts.targets[t]!} ${"_abcd".indexOf(lts.labels[lts.actions[t]!]!)}`);
      if (!order.includes(lts.targets[t]!)) order.push(lts.targets[t]!);
    }
    lines.push(`${s}`);
  }
  return `${lines.join("\n")}\n`;
};

const compiled = (name: string, lts: Lts): void => {
  writeFileSync(join(directory, `${name}.txt`), acceptor(lts));
  expect(run(`fstcompile --acceptor ${name}.txt | fstarcsort > ${name}.fst`)).toBe(0);
};

function isRelated(first: Lts, second: Lts, relation: "trace" | "strong"): boolean {
  const slices = comparing(first, second, relation);
  while (slices.advance(Infinity));
  return slices.result().isRelated;
}

/** Without unreachable states, which no relation removes. */
function reachable(lts: Lts): Lts {
  const order = [0];
  const builder = new LtsBuilder();
  for (const [at, s] of order.entries())
    for (let t = lts.firsts[s]!; t < lts.firsts[s + 1]!; t++) {
      const target = lts.targets[t]!;
      if (!order.includes(target)) order.push(target);
      builder.add(at, builder.labels.of(lts.labels[lts.actions[t]!]!), order.indexOf(target));
    }
  return builder.finish(order.length, [0]);
}

const randomAcceptor = (random: Random): Lts => {
  const states = 1 + random.below(8);
  const transitions = random.below(3 * states + 2);
  return reachable(
    randomLts(random, { states, labels: 1 + random.below(3), transitions, isDeterministic: true }),
  );
};

describeWithPeers("OpenFst", ["fstcompile"], () => {
  test("minimal systems have as many states and transitions as fstminimize finds", () => {
    const random = new Random(11);
    let smaller = 0;
    for (let i = 0; i < 30; i++) {
      const lts = randomAcceptor(random);
      compiled("a", lts);
      expect(run("fstminimize a.fst | fstprint --acceptor > m.txt")).toBe(0);
      const lines = readFileSync(join(directory, "m.txt"), "utf8").trim().split("\n");
      const minimal = minimise(lts, "strong");
      expect([minimal.states, minimal.targets.length], `case ${i}`).toEqual([
        lines.filter((line) => line.trim().split(/\s+/).length === 1).length,
        lines.filter((line) => line.trim().split(/\s+/).length === 3).length,
      ]);
      smaller += Number(minimal.states < lts.states);
    }
    expect(smaller).toBeGreaterThan(5);
  });

  test("traces are equal where fstequivalent says so", () => {
    const random = new Random(12);
    const seen = { equal: 0, different: 0 };
    for (let i = 0; i < 60; i++) {
      const first = randomAcceptor(random);
      const second = random.below(3) === 0 ? minimise(first, "strong") : randomAcceptor(random);
      compiled("a", first);
      compiled("b", second);
      const isEqual = run("fstequivalent a.fst b.fst") === 0;
      const isIncluded = isRelated(first, second, "trace") && isRelated(second, first, "trace");
      expect([isIncluded, isRelated(first, second, "strong")], `case ${i}`).toEqual([isEqual, isEqual]);
      seen[isEqual ? "equal" : "different"]++;
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(8);
  });
});
