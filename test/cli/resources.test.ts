/** Budgets, signals and outputs, in every phase of the working process. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inRepository } from "../repository.js";
import { useCli } from "./built-cli.js";
import { descendantsOf, ticksOf } from "./processes.js";

const cli = useCli();
/** A step that takes minutes: each iteration is long, so that time runs out before the limit of iterations. */
const endless = `
var x: 0..10;
startstate begin x := 0; end;
rule begin for i: 0..2000000000 do ${"x := (x + i) % 7; ".repeat(200)} end; end;
`;
const long = "byte x[5]; active [5] proctype Count() { do :: x[_pid] = (x[_pid] + 1) % 40 od }";
const small = "active proctype P() { byte x; x = 1; assert(x == 2) }";
/** Waits until the process has used two seconds of processor time. */
async function busy(pid: number): Promise<void> {
  while (!descendantsOf(pid).some((child) => ticksOf(child) > 200)) await pause(100);
}
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test("--time holds inside a single step", { timeout: 150_000 }, async () => {
  const file = cli.write("endless.m", endless);
  const { exitCode, json } = await cli.run(["check", file, "--time", "1s", "--json"]);
  expect(exitCode).toBe(2);
  expect(json()).toMatchObject({ verdict: "unknown", scope: { kind: "partial" } });
  expect(json().properties[0]!.reason).toMatch(/time (limit|ran out)/);
});

test(
  "a signal is heard inside a single step, and a second one ends at once",
  { timeout: 150_000 },
  async () => {
    const file = cli.write("endless.m", endless);
    const once = await cli.run(["check", file, "--quiet"], {
      meanwhile: async (signal, _, pid) => {
        await busy(pid);
        signal("SIGTERM");
      },
    });
    expect([once.exitCode, once.stdout]).toEqual([2, expect.stringContaining("unknown: interrupted")]);
    const twice = await cli.run(["check", file, "--quiet"], {
      meanwhile: async (signal, _, pid) => {
        await busy(pid);
        signal("SIGINT");
        await pause(100);
        signal("SIGINT");
      },
    });
    expect([twice.exitCode, twice.stdout]).toEqual([null, ""]);
  },
);

test("SIGTERM reports as SIGINT does", { timeout: 150_000 }, async () => {
  const file = cli.write("long.pml", long);
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    const { exitCode, stdout } = await cli.run(["check", file, "--quiet", "--progress", "none"], {
      meanwhile: async (signal, _, pid) => {
        await busy(pid);
        signal(name);
      },
    });
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/unknown: the search was interrupted after [\d,]+ states/);
  }
});

test("a runtime that gives up is an answer", { timeout: 150_000 }, async () => {
  const fields = Array.from({ length: 40_000 }, (_, i) => `  x = x + ${i};`).join("\n");
  const file = cli.write("large.pml", `int x; active proctype P() {\n${fields}\n}`);
  const env = { NODE_OPTIONS: "--max-old-space-size=40" };
  const { exitCode, stdout, stderr } = await cli.run(["check", file, "--quiet"], { env });
  expect([exitCode, stdout]).toEqual([2, expect.stringContaining("ran out of memory")]);
  expect(stderr).not.toContain("FATAL");
});

test("an internal error ends the process", { timeout: 150_000 }, async () => {
  const file = cli.write("nodes.ts", "export default {}");
  const root = join(cli.directory, "incomplete");
  cpSync(inRepository("src/code"), join(root, "src/code"), { recursive: true });
  cpSync(inRepository("src/model"), join(root, "src/model"), { recursive: true });
  rmSync(join(root, "src/code/system/read-recorder.ts"));
  const { exitCode, stderr } = await cli.run(["check", file], { env: { EVERYPATH_ROOT: root } });
  expect([exitCode, stderr]).toEqual([70, expect.stringContaining("internal error")]);
});

test("an answer that cannot be written: exit code 74 and one line", { timeout: 150_000 }, () => {
  const file = cli.write("small.pml", small);
  const run = (command: string) => {
    const { status, stderr } = spawnSync("sh", ["-c", command], {
      cwd: cli.directory,
      encoding: "utf8",
      env: { ...process.env, CLI: `${process.execPath} ${cli.script}` },
    });
    return { status, stderr };
  };
  for (const args of [
    `check ${file}`,
    `check ${file} --json`,
    "--help",
    "languages",
    `simulate ${file} --seed 1`,
  ]) {
    const { status, stderr } = run(`$CLI ${args} > /dev/full`);
    expect([args, status, stderr]).toEqual([
      args,
      74,
      "everypath: cannot write to standard output: no space is left\n",
    ]);
  }
  expect(run("$CLI check absent.pml 2> /dev/full").status).toBe(74);
  expect(run(`$CLI check ${file} --quiet --html /dev/full`).status).toBe(74);
});

test("outputs go through links and pipes, and keep modes", { timeout: 150_000 }, async () => {
  const file = cli.write("small.pml", small);
  const at = (name: string): string => join(cli.directory, name);
  cli.write("page.html", "old");
  chmodSync(at("page.html"), 0o600);
  symlinkSync("page.html", at("link.html"));
  symlinkSync("later.html", at("dangling.html"));
  const write = (path: string) => cli.run(["check", file, "--quiet", "--html", path]);
  await write("link.html");
  expect(lstatSync(at("link.html")).isSymbolicLink()).toBe(true);
  expect(statSync(at("page.html")).mode & 0o777).toBe(0o600);
  expect(readFileSync(at("page.html"), "utf8")).toContain("</html>");
  await write("dangling.html");
  expect(lstatSync(at("dangling.html")).isSymbolicLink()).toBe(true);
  expect(existsSync(at("later.html"))).toBe(true);
  spawnSync("mkfifo", [at("pipe")]);
  const reader = cli.reads("pipe");
  await write("pipe");
  expect(await reader).toContain("</html>");
  expect(lstatSync(at("pipe")).isFIFO()).toBe(true);
});
