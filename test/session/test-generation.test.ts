/** Generated tests: every strategy covers the same paths, native runs agree with them, and gcov with their coverage. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  generateTests,
  registry,
  testFiles,
  type TestOptions,
  type TestResult,
} from "../../src/session/index.js";
import { describeWithPeers, hasClang } from "../peers.js";
import { inRepository } from "../repository.js";

const usual: TestOptions = { strategy: "fork", seed: 1, budget: {}, control: {}, solver: "auto" };

const generated = async (
  file: string,
  text: string,
  options: Partial<TestOptions> = {},
): Promise<TestResult> => generateTests({ file, text }, { ...usual, ...options }, registry);

const example = (name: string): readonly [string, string] => {
  const file = inRepository("examples/c", name);
  return [file, readFileSync(file, "utf8")];
};

const shares = ({ generated: found }: TestResult): readonly string[] => {
  const lines = (found?.coverage ?? []).flatMap((file) => file.lines);
  const branches = (found?.coverage ?? []).flatMap((file) => file.branches);
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  return [
    `${lines.filter(({ isCovered }) => isCovered).length}/${lines.length}`,
    `${sum(branches.map(({ taken }) => taken))}/${sum(branches.map(({ outcomes }) => outcomes))}`,
  ];
};

const READER = `#include <stdio.h>
#include <string.h>
static int depth, most;
static int step(int c) {
  switch (c) {
    case '(': if (++depth > most) most = depth; return 0;
    case ')': return --depth < 0 ? 1 : 0;
    case 'x': return depth == 2 ? 2 : 0;
    default: return 3;
  }
}
int main(int argc, char **argv) {
  int c, end = 0;
  if (argc > 1 && strcmp(argv[1], "-q") != 0) {
    puts("usage");
    return 9;
  }
  while ((c = getchar()) != EOF && !end) end = step(c);
  printf("%d %d\\n", most, end);
  return end;
}
`;

const suite = (): void => {
  test.each(["fork", "dfs", "bfs", "random", "cfg"] as const)("strategy %s", async (strategy) => {
    const result = await generated(...example("triangle.c"), { strategy });
    expect(result.generated?.tests).toHaveLength(11);
    expect(result.generated?.open).toEqual([]);
    expect(shares(result)).toEqual(["8/8", "22/22"]);
    const again = await generated(...example("triangle.c"), { strategy });
    expect(again.generated?.tests).toEqual(result.generated?.tests);
  });

  test("a budget leaves paths open, and coverage says so", async () => {
    const { generated: found } = await generated(...example("triangle.c"), { budget: { maxStates: 2 } });
    expect(found?.open).toEqual(["2 paths were explored, and more are left"]);
    expect(found?.tests).toHaveLength(2);
    expect(found?.coverage[0]?.lines.some(({ isCovered }) => !isCovered)).toBe(true);
  });

  test("code that is near and not covered comes first", async () => {
    const text = `#include <everypath.h>
int main(void) { unsigned char b[9]; symbolic(b, sizeof b, "b"); int n = 0;
  if (b[0] == 'a')
    if (b[1] == 'b')
      if (b[2] == 'c')
        return 1;
  for (int i = 3; i < 9; i++) if (b[i] & 1) n++;
  return n == 20; }`;
    const first = async (strategy: "cfg" | "dfs"): Promise<number> => {
      const { generated: found } = await generated("m.c", text, { strategy });
      expect(found?.tests).toHaveLength(3 * 64 + 1);
      return (found?.tests ?? []).findIndex(({ status }) => status === 1);
    };
    expect(await first("cfg")).toBeLessThan(4);
    expect(await first("dfs")).toBeGreaterThan(60);
  });

  test("only C programs have tests", async () => {
    const { diagnostics } = await generated("m.pml", "active proctype p() { skip }");
    expect(diagnostics.map(({ code }) => code)).toEqual(["session/no-tests"]);
  });

  const programs: readonly (readonly [string, () => readonly [string, string], Partial<TestOptions>])[] = [
    ["triangle.c", () => example("triangle.c"), {}],
    ["parity.c", () => example("parity.c"), {}],
    ["utf7.c", () => example("utf7.c"), { defines: ["REPAIRED", "LENGTH=2"] }],
    ["reader.c", () => ["reader.c", READER], { symbolicArgs: ["1:2"], symbolicStdin: 3 }],
    ["reader.c, some paths", () => ["reader.c", READER], { symbolicStdin: 4, budget: { maxStates: 3 } }],
  ];

  test.each(programs)("native runs and gcov agree: %s", async (_, program, options) => {
    const [file, text] = program();
    const result = await generated(file, text, options);
    const folder = mkdtempSync(join(tmpdir(), "everypath-tests-"));
    try {
      writeFileSync(join(folder, "under-test.c"), text);
      const inFolder = { ...result, file: join(folder, "under-test.c") };
      for (const [name, content] of testFiles(inFolder, options.defines ?? [], folder))
        writeFileSync(join(folder, name), content);
      const env = { ...process.env, CC: "gcc", CFLAGS: "--coverage -g -O0 -w" };
      const run = spawnSync("bash", [join(folder, "run.sh")], { encoding: "utf8", env, cwd: folder });
      expect(run.stdout).toBe(`${result.generated?.tests.length} passed, 0 failed\n`);
      spawnSync("gcov", ["program-under-test.gcda"], { cwd: folder });
      const native = new Map<number, boolean>();
      for (const line of readFileSync(join(folder, "under-test.c.gcov"), "utf8").split("\n")) {
        const [, times, number] = /^\s*([^:\s]+):\s*(\d+):/.exec(line) ?? [];
        if (times !== undefined && times !== "-" && number !== "0")
          native.set(Number(number), !times.startsWith("#"));
      }
      const lines = result.generated?.coverage.find((each) => each.file === file)?.lines ?? [];
      const both = lines.filter(({ line }) => native.has(line));
      expect(both.length).toBeGreaterThan(4);
      expect(both.map(({ line, isCovered }) => [line, isCovered])).toEqual(
        both.map(({ line }) => [line, native.get(line)]),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("tests that show an error fail under sanitizers", async () => {
    const result = await generated(...example("midpoint.c"));
    expect(result.generated?.tests.filter(({ error }) => error !== undefined)).toHaveLength(1);
    const folder = mkdtempSync(join(tmpdir(), "everypath-tests-"));
    try {
      for (const [name, content] of testFiles(result, [], folder)) writeFileSync(join(folder, name), content);
      const flags = "-g -w -fsanitize=address,undefined -fno-sanitize-recover=all";
      const env = { ...process.env, CC: "gcc", CFLAGS: flags };
      const run = spawnSync("bash", [join(folder, "run.sh")], { encoding: "utf8", env, cwd: folder });
      expect(run.stdout).toBe(`${result.generated?.tests.length} passed, 0 failed\n`);
      expect(readFileSync(join(folder, "run.sh"), "utf8")).toContain(" error");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
};

if (hasClang) describeWithPeers("generated tests", ["gcc"], suite);
else test.skip("generated tests (SKIPPED: needs clang)", () => undefined);
