import { expect, test } from "vitest";
import { useCli } from "./built-cli.js";
import { asserting, broken, choosing, deadlocking, holding } from "./models.js";

const cli = useCli();
const file = {
  holding: cli.write("holding.pml", holding),
  asserting: cli.write("asserting.pml", asserting),
  deadlocking: cli.write("deadlocking.pml", deadlocking),
  choosing: cli.write("choosing.pml", choosing),
  broken: cli.write("broken.pml", broken),
};

test("a run that meets an error exits with 1 and says which", async () => {
  const result = await cli.run(["simulate", file.asserting, "--seed", "1"]);
  expect(result.exitCode).toBe(1);
  expect(result.stdout).toContain("prints got 3");
  expect(result.stdout.trimEnd().split("\n").at(-1)).toBe(
    "asserting.pml: error after 6 steps: assertion violated: got == 4 (--seed 1)",
  );
});

test("a deadlock is an error, an end is none", async () => {
  expect(await cli.run(["simulate", file.deadlocking, "--quiet", "--seed", "1"])).toMatchObject({
    exitCode: 1,
  });
  const ended = await cli.run(["simulate", file.holding, "--quiet", "--seed", "1"]);
  expect(ended).toMatchObject({ exitCode: 0 });
  expect(ended.stdout).toMatch(/^holding\.pml: end of run after \d+ steps: every process is at a valid end/);
});

test("the same seed makes the same run, another one another", async () => {
  const run = async (seed: string): Promise<string> =>
    (await cli.run(["simulate", file.choosing, "--seed", seed, "--steps", "60"])).stdout;
  expect(await run("5")).toBe(await run("5"));
  expect((await run("5")).replaceAll("--seed 5", "")).not.toBe((await run("6")).replaceAll("--seed 6", ""));
});

test("a run without a seed says which one it used", async () => {
  const { stdout } = await cli.run(["simulate", file.choosing, "--steps", "20"]);
  const seed = /^random run with --seed (\d+)$/m.exec(stdout)![1]!;
  expect((await cli.run(["simulate", file.choosing, "--steps", "20", "--seed", seed])).stdout).toBe(stdout);
});

test("the step limit ends a run without an error", async () => {
  const result = await cli.run(["simulate", file.choosing, "--steps", "7", "--quiet", "--seed", "1"]);
  expect(result).toMatchObject({ exitCode: 0 });
  expect(result.stdout).toContain("stopped after 7 steps: --steps 7 reached");
});

test("as JSON", async () => {
  const result = await cli.run(["simulate", file.asserting, "--json", "--seed", "3"]);
  expect(result.json()).toMatchObject({
    verdict: "violated",
    outcome: "failed",
    seed: 3,
    trace: { length: 6 },
  });
  expect(result.exitCode).toBe(1);
});

test("guided by a schedule", async () => {
  const result = await cli.run(["simulate", file.choosing, "--trace", "0*3"]);
  expect(result).toMatchObject({ exitCode: 0 });
  expect(result.stdout).toContain("stopped after 3 steps: the trace ends here");
  const diverged = await cli.run(["simulate", file.choosing, "--trace", "0.9"]);
  expect(diverged).toMatchObject({ exitCode: 2 });
  expect(diverged.stdout).toContain("the trace takes choice 9 at step 2");
});

test("chosen by hand through a pipe: number, undo, random, nonsense, quit", async () => {
  const input = "u\n1\nbanana\n1\nu\nr\nq\n";
  const { stdout, exitCode } = await cli.run(["simulate", file.choosing, "--interactive"], { input });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("this is the beginning");
  expect(stdout).toContain("1) A[0]  x < 3  choosing.pml:2:29");
  expect(stdout).toContain("'banana' is none of these");
  expect(stdout).toContain("one step taken back");
  expect(stdout).toContain("stopped after 2 steps: left by the user");
});

test("by hand as JSON: one object on standard output, the questions elsewhere", async () => {
  const result = await cli.run(["simulate", file.choosing, "--interactive", "--json"], {
    input: "1\nu\n1\nq\n",
  });
  expect(result.json()).toMatchObject({ outcome: "open", trace: { length: 1 } });
  expect(result.stderr).toContain("1) A[0]  x < 3");
  expect(result.stderr).toContain("choose 1-1");
});

test("the end of the input ends an interactive run", async () => {
  const { exitCode, stdout } = await cli.run(["simulate", file.choosing, "--interactive"], { input: "1\n" });
  expect(exitCode).toBe(0);
  expect(stdout).toContain("stopped after 1 step: left by the user");
});

test("a wrong model is bad input", async () => {
  const result = await cli.run(["simulate", file.broken]);
  expect(result).toMatchObject({ exitCode: 3, stdout: "" });
  expect(result.stderr).toMatch(/^broken\.pml:\d+:\d+: error\[promela\//);
});
