/** `everypath simulate --runs` and `everypath report` as commands, in processes of their own. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CheckJson, FilesJson } from "../../src/report/index.js";
import { inRepository } from "../repository.js";
import { useCli } from "./built-cli.js";

const cli = useCli();
const file = inRepository("examples/code/systems/two-phase-commit.ts");
const runs = (...more: readonly string[]): string[] => [
  ...["simulate", file, "--runs", "30", "--steps", "50", "--seed", "3", "--progress", "none"],
  ...more,
];

test(
  "the failing run does not depend on the number of processes, and replays",
  { timeout: 120_000 },
  async () => {
    const one = await cli.run(runs("-D", "IMPATIENT", "--json"));
    const two = await cli.run(runs("-D", "IMPATIENT", "--json", "--workers", "2"));
    expect([one.exitCode, two.exitCode]).toEqual([1, 1]);
    const [a, b] = [one.json<CheckJson>(), two.json<CheckJson>()];
    expect(b.runs[0]!.simulation!.failed).toEqual(a.runs[0]!.simulation!.failed);
    expect(b.trace!.schedule).toBe(a.trace!.schedule);
    const again = await cli.run(["replay", a.trace!.schedule, file, "-D", "IMPATIENT", "--quiet"]);
    expect(again.exitCode).toBe(1);
  },
);

test("a failure under --faults replays with them", { timeout: 120_000 }, async () => {
  const text = `
import { defineSystem } from "everypath/system";
class Node { constructor(readonly e: any) {} onStart() { this.e.disk.write("v", 12); this.e.disk.sync(); } }
export default defineSystem<any>({
  nodes: { a: (e) => new Node(e), b: (e) => { if (e.disk.read("v") === 13) throw new Error("decayed"); return new Node(e); } },
});`;
  const system = cli.write("decay.ts", text);
  const faults = ["--faults", "crashes=2,corruptions=1"];
  const found = await cli.run([
    "simulate",
    system,
    "--runs",
    "200",
    "--steps",
    "40",
    "--seed",
    "1",
    ...faults,
    "--json",
  ]);
  expect(found.exitCode, found.stderr).toBe(1);
  const { schedule } = found.json<CheckJson>().trace!;
  expect((await cli.run(["replay", schedule, system, ...faults])).exitCode).toBe(1);
  expect((await cli.run(["replay", schedule, system])).exitCode).toBe(2);
});

test("clean runs exit with 2, accepted ones with 0; shards are united", { timeout: 120_000 }, async () => {
  const clean = await cli.run(runs("--json"));
  expect(clean.exitCode).toBe(2);
  expect(clean.json<CheckJson>()).toMatchObject({ verdict: "unknown", scope: { kind: "partial" } });
  mkdirSync(join(cli.directory, "results"));
  for (const index of [1, 2]) {
    const part = await cli.run(runs("--json", "--accept", "probabilistic", "--shard", `${index}/2`));
    expect(part.exitCode).toBe(0);
    cli.write(`results/${index}.json`, part.stdout);
    const united = await cli.run(["report", "results", "--json"]);
    expect(united.exitCode).toBe(index === 1 ? 2 : 0);
    const [whole] = united.json<FilesJson>().files;
    expect(whole!.runs[0]!.simulation!.runs).toBe(15 * index);
  }
  expect((await cli.run(["report", "results"])).stdout).toContain("30 runs of 30");
});

test("wrong folders and options are refused", async () => {
  cli.write("other.json", "{}");
  expect((await cli.run(["report", "no such folder"])).exitCode).toBe(3);
  expect((await cli.run(["report", "."])).exitCode).toBe(3);
  expect((await cli.run(runs("--shard", "3/2"))).exitCode).toBe(3);
  const single = await cli.run(["simulate", file, "--seed", "1", "--workers", "2"]);
  expect(single.stderr).toContain("usage/needs-runs");
});
