/** `--disk` and `--resume` as users meet them: kills, unusable folders, full disks, memory limits. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useCli, type CliResult } from "../../cli/built-cli.js";

const cli = useCli();

/** Independent counters: `limit` to the power of `n` states. */
const counters = (n: number, limit: number): string => `
byte x[${n}];
active [${n}] proctype Count() {
  do
  :: x[_pid] = (x[_pid] + 1) % ${limit}
  od
}
`;
/** The same with a vector of some hundred bytes. */
const wide = (n: number, limit: number): string => `int ballast[80];
init { byte i; do :: i < 80 -> ballast[i] = 123456789 - i; i++ :: else -> break od; i = 0; run Wide() }
proctype Wide() { byte x[${n}];
  do
${Array.from({ length: n }, (_, i) => `  :: x[${i}] = (x[${i}] + 1) % ${limit}; ballast[${i}] = x[${i}]`).join("\n")}
  od
}
`;

const disk = ["--memory", "400k", "--progress", "none", "--json"];

test("killed three times at random points and resumed: the same counts", { timeout: 240_000 }, async () => {
  const file = cli.write("killed.pml", counters(4, 16));
  const expected = (await cli.run(["check", file, "--json"])).json().stats;
  let option = "--disk";
  for (let kill = 0; kill < 3; kill++) {
    await cli.run(["check", file, option, "killed", ...disk], {
      meanwhile: async (signal) => {
        await until(() => existsSync(join(cli.directory, "killed/manifest.json")));
        await new Promise((resolve) => setTimeout(resolve, 1200 * Math.random()));
        signal("SIGKILL");
      },
    });
    option = "--resume";
  }
  const { states, transitions, depth } = (
    await cli.run(["check", file, "--resume", "killed", ...disk])
  ).json().stats;
  expect({ states, transitions, depth }).toEqual({
    states: expected.states,
    transitions: expected.transitions,
    depth: expected.depth,
  });
});

test("of two that resume at once one goes on, and damage is refused", { timeout: 240_000 }, async () => {
  const file = cli.write("contended.pml", counters(6, 16));
  await cli.run(["check", file, "--disk", "contended", "--max-states", "20000", ...disk]);
  const resume = () => cli.run(["check", file, "--resume", "contended", "--time", "8s", ...disk]);
  const results = await Promise.all([resume(), resume()]);
  expect(results.map(({ exitCode }) => exitCode).sort()).toEqual([2, 3]);
  const refused = results.find(({ exitCode }) => exitCode === 3)!;
  expect(refused.json().diagnostics[0]).toMatchObject({ code: "session/disk-in-use" });
  const log = join(cli.directory, "contended/states-1");
  writeFileSync(log, readFileSync(log).subarray(0, 5000));
  const damaged = await resume();
  expect(damaged.exitCode).toBe(3);
  expect(damaged.json().diagnostics[0]).toMatchObject({ code: "session/disk-damaged" });
});

test("a violation found on disk has a shortest trace that replays", async () => {
  const file = cli.write("wrong.pml", counters(4, 14));
  const invariant = ["--invariant", "!(x[0] == 13 && x[1] == 9 && x[2] == 5)", "--no-deadlock"];
  const memory = (await cli.run(["check", file, ...invariant, "--json"])).json();
  const result = await cli.run(["check", file, ...invariant, "--disk", "wrong", ...disk]);
  expect(result.exitCode).toBe(1);
  expect(result.json().trace!.steps.length).toBe(memory.trace!.steps.length);
});

test("another model, other options, an unknown folder: refused, exit code 3", async () => {
  const file = cli.write("one.pml", counters(2, 5));
  const other = cli.write("two.pml", counters(2, 6));
  expect((await cli.run(["check", file, "--disk", "one", ...disk])).exitCode).toBe(0);
  const refusals: [readonly string[], string][] = [
    [[other, "--resume", "one"], "session/disk-other-search"],
    [[file, "--resume", "one", "--no-deadlock", "--invariant", "true"], "session/disk-other-search"],
    [[file, "--disk", "one"], "session/disk-in-use"],
    [[file, "--resume", "nowhere"], "session/disk-unusable"],
    [[file, "--disk", "one.pml"], "session/disk-unusable"],
    [[file, "--disk", "foreign"], "session/disk-not-ours"],
    [[file, "--resume", "foreign"], "session/disk-nothing-there"],
  ];
  mkdirSync(join(cli.directory, "foreign"));
  writeFileSync(join(cli.directory, "foreign/letter.txt"), "dear reader");
  for (const [args, code] of refusals) expectRefusal(await cli.run(["check", ...args, ...disk]), code);
  expect(readFileSync(join(cli.directory, "foreign/letter.txt"), "utf8")).toBe("dear reader");
  const both = ["--disk", "a", "--resume", "b", "--json"];
  expectRefusal(await cli.run(["check", file, ...both]), "usage/not-together");
  for (const args of [
    ["--disk", "a", "--workers", "2"],
    ["--disk", "a", "--search", "dfs"],
    ["--workers", "2", "--search", "dfs"],
    ["--workers", "2", "--store", "bitstate"],
  ])
    expectRefusal(await cli.run(["check", file, ...args, "--json"]), "session/not-together");
  expect(existsSync(join(cli.directory, "a"))).toBe(false);
});

test("a full disk is unknown, and the search goes on when there is room", { timeout: 240_000 }, async () => {
  const file = cli.write("full.pml", counters(4, 18));
  const script = join(cli.directory, "../bin/index.js");
  const run = ["check", file, "--disk", "full", ...disk].map((word) => `'${word}'`).join(" ");
  // No file may be larger than 100 blocks: to a program that is as good as a full disk.
  const { stdout, exitCode } = await shell(`ulimit -f 100; exec '${process.execPath}' '${script}' ${run}`);
  expect(exitCode).toBe(2);
  expect(stdout).toContain("the disk is full or failed");
  const resumed = await cli.run(["check", file, "--resume", "full", ...disk]);
  expect([resumed.exitCode, resumed.json().stats.states]).toEqual([0, 18 ** 4]);
});

test.each([
  ["narrow", counters(6, 16), "4M"],
  ["wide", wide(6, 16), "40M"],
])("memory runs out on a %s model: unknown, with true figures", async (name, text, memory) => {
  const file = cli.write(`${name}.pml`, text);
  for (const workers of ["1", "2"]) {
    const result = await cli.run([
      "check",
      file,
      "--plain",
      "--store",
      "exact",
      "--memory",
      memory,
      "--workers",
      workers,
      "--json",
    ]);
    expect(result.exitCode, result.stderr).toBe(2);
    const { properties, stats } = result.json();
    expect(properties.every(({ reason }) => reason.startsWith("the memory ran out"))).toBe(true);
    expect(stats.states).toBeGreaterThan(10_000);
    expect(stats.peakBytes).toBeLessThanOrEqual(Number(memory.slice(0, -1)) * 1e6);
  }
});

function expectRefusal(result: CliResult, code: string): void {
  expect(result.exitCode, `${code}: ${result.stdout}${result.stderr}`).toBe(3);
  expect(result.json().diagnostics.map((d) => d.code)).toContain(code);
}

async function until(isSo: () => boolean): Promise<void> {
  for (let waits = 0; !isSo(); waits++) {
    if (waits > 600) throw new Error("waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function shell(command: string): Promise<{ readonly stdout: string; readonly exitCode: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", command], { cwd: cli.directory });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ stdout, exitCode }));
  });
}
