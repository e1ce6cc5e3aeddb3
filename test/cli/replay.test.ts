import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { TraceFile } from "../../src/session/index.js";
import { useCli } from "./built-cli.js";
import { asserting, deadlocking, failingTwice } from "./models.js";

const cli = useCli();
const file = {
  asserting: cli.write("asserting.pml", asserting),
  deadlocking: cli.write("deadlocking.pml", deadlocking),
  failingTwice: cli.write("failing-twice.pml", failingTwice),
};
let trace: TraceFile;

beforeAll(async () => {
  await cli.run(["check", file.asserting, "--trace", "t.json", "--quiet"]);
  trace = JSON.parse(readFileSync(join(cli.directory, "t.json"), "utf8")) as TraceFile;
});

test("a trace file knows its model and reproduces", async () => {
  const result = await cli.run(["replay", "t.json"]);
  expect(result).toMatchObject({ exitCode: 1, stderr: "" });
  expect(result.stdout).toContain("S[0] --c!1--> R[1]");
  expect(result.stdout.trimEnd().split("\n").at(-1)).toBe(
    "asserting.pml: reproduced after 6 steps: assertion violated: got == 4",
  );
});

test("the command that a check prints reproduces what it found", async () => {
  for (const name of Object.values(file)) {
    const { stdout } = await cli.run(["check", name]);
    const [, schedule, model] = /^Again: everypath replay (\S+) (\S+)$/m.exec(stdout)!;
    expect(await cli.run(["replay", schedule!.replaceAll("'", ""), model!])).toMatchObject({ exitCode: 1 });
  }
});

test("a schedule that shows no error is not reproduced", async () => {
  const result = await cli.run(["replay", "0.0", file.asserting]);
  expect(result).toMatchObject({ exitCode: 2 });
  expect(result.stdout).toContain("not reproduced after 2 steps");
});

test("a model that was mended no longer fails", async () => {
  const mended = cli.write("mended.pml", asserting.replace("== 4", "== 3"));
  const result = await cli.run(["replay", "t.json", mended]);
  expect(result).toMatchObject({ exitCode: 2 });
  expect(result.stderr).toContain("session/model-changed");
  expect(result.stderr).toContain("step 6 was 'R[1]: assert(got == 4)' and is now 'R[1]: assert(got == 3)'");
  expect(result.stdout).toContain("not reproduced after 6 steps");
});

test("a model that goes another way diverges where it does", async () => {
  const shorter = cli.write("shorter.pml", asserting.replace("c!1; c!2", "c!1"));
  const result = await cli.run(["replay", "t.json", shorter, "--json"]);
  expect(result).toMatchObject({ exitCode: 2 });
  expect(result.json()).toMatchObject({ outcome: "diverged", reason: "the model offers no step at step 3" });
});

test("a trace of another error is not taken for the same", async () => {
  const other = cli.write(
    "other.json",
    JSON.stringify({ ...trace, property: { name: "deadlock", kind: "deadlock" }, fault: null }),
  );
  const result = await cli.run(["replay", other]);
  expect(result).toMatchObject({ exitCode: 2 });
  expect(result.stdout).toContain("it now shows something else: assertion violated");
});

test("options that change the system are kept with the trace", async () => {
  const model = cli.write("define.pml", "active proctype A() { assert(N == 3) }\n");
  await cli.run(["check", model, "-DN=4", "--trace", "d.json", "--quiet"]);
  expect(await cli.run(["replay", "d.json"])).toMatchObject({ exitCode: 1, stderr: "" });
});

test("options given with a trace file must be those that it has", async () => {
  const model = cli.write("options.pml", "byte x; active proctype A() { x = N; assert(x == 3) }\n");
  await cli.run(["check", model, "-DN=4", "--invariant", "x < 9", "--trace", "o.json", "--quiet"]);
  const same = ["-D", "N=4", "--invariant", "x < 9", "--language", "promela"];
  const others = [["-DN=5"], ["--invariant", "x < 8"], ["--lose-when-full"], ["--limit-processes", "9"]];
  for (const command of [
    ["replay", "o.json"],
    ["simulate", model, "--trace", "o.json"],
  ]) {
    expect(await cli.run([...command, ...same, "--quiet"])).toMatchObject({ exitCode: 1, stderr: "" });
    for (const other of others) {
      const result = await cli.run([...command, ...other]);
      expect(result).toMatchObject({ exitCode: 3, stdout: "" });
      expect(result.stderr).toContain("usage/trace-options");
    }
  }
});

test("a schedule too long for any memory is none", async () => {
  expect(await cli.run(["replay", "0*999999999", file.asserting])).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining("usage/no-trace"),
  });
});

test("damaged trace files are bad input", async () => {
  const damaged: readonly (readonly [string, string, string])[] = [
    ["empty.json", "", "not JSON"],
    ["list.json", "[1]", "not a trace file"],
    ["version.json", JSON.stringify({ ...trace, format: "everypath-trace-9" }), "everypath-trace-9"],
    ["schedule.json", JSON.stringify({ ...trace, schedule: "0.x" }), "schedule is damaged"],
    ["options.json", JSON.stringify({ ...trace, options: 3 }), "'options'"],
    ["file.json", JSON.stringify({ ...trace, file: undefined }), "'file'"],
  ];
  for (const [name, text, problem] of damaged) {
    const result = await cli.run(["replay", cli.write(name, text)]);
    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    expect(result.stderr).toContain(problem);
  }
});

test("Spin's trail of the model is found beside it and followed", async () => {
  const trail = cli.write(
    "asserting.pml.trail",
    "-4:-4:-4\n1:0:0\n2:1:3\n3:1:4\n4:0:1\n5:1:5\n6:1:6\n7:1:7\n8:1:8\n",
  );
  expect(await cli.run(["replay", trail, "--quiet"])).toMatchObject({
    exitCode: 1,
    stdout: "asserting.pml: reproduced after 6 steps: assertion violated: got == 4\n",
  });
  expect(await cli.run(["replay", trail, file.deadlocking])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("session/cannot-replay"),
  });
  expect(await cli.run(["simulate", file.asserting, "--trace", trail, "--quiet"])).toMatchObject({
    exitCode: 1,
  });
});

test("a trail with a never claim is refused with the reason", async () => {
  const result = await cli.run(["replay", cli.write("claim.trail", "-2:2:-2\n1:0:0\n"), file.asserting]);
  expect(result).toMatchObject({ exitCode: 3, stdout: "" });
  expect(result.stderr).toContain("never claim");
});
