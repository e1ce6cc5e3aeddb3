/** Every command reports errors after hundreds of steps, never as internal errors. */
import { describe, expect, test } from "vitest";
import { useCli } from "../../cli/built-cli.js";

const cli = useCli();

/** Counts up to 400. */
const system = (step: string, condition: string): string => `
  import { defineSystem } from "everypath/system";
  let v = 0;
  class A { n = 0; kept: unknown; go() { this.n++; ${step} } change() { v++; return true; } }
  export default defineSystem<any>({ nodes: { a: () => new A() }, actions: { go: { times: 400, run: (n) => n.go() } },
    always: { small: ({ nodes: { a } }) => ${condition} } });`;

const texts: Readonly<Record<string, readonly [text: string, code: string]>> = {
  "a condition that throws": [
    system("", 'a.n < 350 || (() => { throw new Error("late"); })()'),
    "code/property-failed",
  ],
  "a condition that changes something": [system("", "a.n < 350 || a.change()"), "code/property-mutates"],
  "a node that is no data": [
    system("if (this.n === 350) { let x = 0; this.kept = () => x++; }", "a.n < 1000"),
    "code/opaque-state",
  ],
  "a node that does what is not supported": [
    system("if (this.n === 350) RegExp.$1;", "a.n < 1000"),
    "code/not-supported",
  ],
};

describe.each(Object.entries(texts))("%s", (name, [text, code]) => {
  const file = (): string => cli.write(`${name.replaceAll(" ", "-")}.ts`, text);

  test("stops a run", async () => {
    const { exitCode, stderr } = await cli.run(["simulate", file(), "--seed", "1", "--steps", "500"]);
    expect(stderr).toContain(`[${code}]`);
    expect(exitCode).toBe(2);
  });

  test.each([
    ["a look for numbers that change nothing", ["--slice", "auto", "--slice-values", "3"]],
    ["a search on disk", ["--disk", `states-${code.replace("/", "-")}`]],
  ])("is told after %s", async (_, options) => {
    const report = (await cli.run(["check", file(), "--json", ...options])).json();
    expect(report.verdict).toBe(code === "code/opaque-state" ? "holds" : "unknown");
    expect(report.diagnostics.map((one) => one.code)).toContain(code);
  });
});

test("a search of nodes that was stopped is not resumed: their states have other numbers in another process", async () => {
  const file = cli.write("stopped.ts", system("", "a.n < 1000"));
  const stopped = await cli.run(["check", file, "--disk", "stopped", "--max-states", "100"]);
  expect(stopped.exitCode).toBe(2);
  const { exitCode, stderr } = await cli.run(["check", file, "--resume", "stopped"]);
  expect(stderr).toContain("session/option-not-taken");
  expect(stderr).toContain("--resume");
  expect(exitCode).toBe(3);
});
