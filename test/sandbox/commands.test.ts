/** Commands on code, as users run them: results, interruption and reports of the child process. */
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inRepository } from "../repository.js";
import { useCli } from "../cli/built-cli.js";

const cli = useCli();
const slow = { timeout: 240_000 };

const example = (): string => {
  copyFileSync(inRepository("examples/code/systems/two-phase-commit.ts"), join(cli.directory, "commit.ts"));
  return "commit.ts";
};

/** Counts forever, one state per step. */
const counting = `
  import { defineSystem } from "everypath/system";
  export default defineSystem<{ n: number }>({
    nodes: { a: () => ({ n: 0 }) },
    actions: { count: { run: (node) => void node.n++ } },
  });`;

describe("a check", () => {
  test("writes its files, though the code runs where nothing can be written", slow, async () => {
    const args = ["check", example(), "-D", "IMPATIENT", "--trace", "t.json", "--html", "t.html", "--json"];
    const { exitCode, json } = await cli.run(args);
    expect(exitCode).toBe(1);
    expect(json().trace!.steps).toHaveLength(5);
    expect(readFileSync(join(cli.directory, "t.html"), "utf8")).toContain("alice");
    const replayed = await cli.run(["replay", "t.json", "--json"]);
    expect(replayed.exitCode).toBe(1);
    expect(replayed.json().outcome).toBe("failed");
  });

  test("says what it knows when it is interrupted", slow, async () => {
    const { exitCode, json, stderr } = await cli.run(
      ["check", cli.write("count.ts", counting), "--json", "--progress", "plain"],
      {
        meanwhile: async (signal, heard) => {
          while (!heard().includes("states")) await new Promise((resolve) => setTimeout(resolve, 50));
          signal("SIGINT");
        },
      },
    );
    expect(stderr).toContain("stopping");
    expect(exitCode).toBe(2);
    expect(json().stats.states).toBeGreaterThan(0);
    expect(json().properties[0]!.reason).toContain("interrupted");
  });

  test("of code that cannot be bundled is refused where it stands", slow, async () => {
    const file = cli.write("bad.ts", 'import { x } from "./nowhere";\nexport default x;\n');
    const { exitCode, stderr } = await cli.run(["check", file]);
    expect(exitCode).toBe(3);
    expect(stderr).toContain("bad.ts:1:19: error[code/bundle]");
  });
});

describe("a simulation", () => {
  test("is random with a seed", slow, async () => {
    const args = ["simulate", example(), "--seed", "7", "--steps", "5"];
    const { exitCode, stdout } = await cli.run(args);
    expect(stdout).toContain("random run with --seed 7");
    expect(stdout).toContain("coordinator");
    expect(exitCode).toBe(0);
    expect((await cli.run(args)).stdout).toBe(stdout);
  });

  test("is led by hand", slow, async () => {
    const args = ["simulate", example(), "--interactive"];
    const { stdout } = await cli.run(args, { input: "1\nu\n1\nq\n" });
    expect(stdout).toContain("one step taken back");
    expect(stdout).toContain("stopped after 1 step: left by the user");
  });

  test("follows a trace file", slow, async () => {
    await cli.run(["check", example(), "-D", "IMPATIENT", "--trace", "u.json", "--quiet"]);
    const { exitCode, json } = await cli.run(["simulate", example(), "--trace", "u.json", "--json"]);
    expect(json().trace!.steps).toHaveLength(5);
    expect(exitCode).toBe(1);
  });

  test("of code that does not load says so", slow, async () => {
    const file = cli.write("bad.ts", 'throw new Error("no");\nexport {};\n');
    const { exitCode, stderr } = await cli.run(["simulate", file]);
    expect(stderr).toContain("code/load-failed");
    expect(exitCode).toBe(3);
  });
});
