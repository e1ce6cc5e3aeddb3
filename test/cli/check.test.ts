import { existsSync, linkSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckJson, FilesJson } from "../../src/report/index.js";
import { useCli } from "./built-cli.js";
import { asserting, broken, deadlocking, endless, failingTwice, holding, unsupported } from "./models.js";

const cli = useCli();
const file = {
  holding: cli.write("holding.pml", holding),
  asserting: cli.write("asserting.pml", asserting),
  deadlocking: cli.write("deadlocking.pml", deadlocking),
  failingTwice: cli.write("failing-twice.pml", failingTwice),
  unsupported: cli.write("unsupported.pml", unsupported),
  broken: cli.write("broken.pml", broken),
  endless: cli.write("endless.pml", endless),
};

describe("exit codes", () => {
  const cases: readonly (readonly [string, readonly string[], number])[] = [
    ["every property holds", [file.holding], 0],
    ["an assertion fails", [file.asserting], 1],
    ["a deadlock", [file.deadlocking], 1],
    ["a deadlock that is no error", [file.deadlocking, "--no-deadlock", "--invariant", "go == 0"], 0],
    ["an invariant that holds", [file.holding, "--invariant", "x <= 5"], 0],
    ["an invariant that does not", [file.holding, "--invariant", "x < 5"], 1],
    ["a property that is not supported yet", [file.unsupported], 3],
    ["the same, not asked for", [file.unsupported, "--property", "deadlock"], 0],
    ["too few states", [file.endless, "--max-states", "1000"], 2],
    ["too little depth", [file.endless, "--max-depth", "5"], 2],
    ["too little time", [file.endless, "--time", "200ms"], 2],
    ["too little memory", [file.endless, "--memory", "2M"], 2],
    ["a budget that is good enough", [file.endless, "--max-depth", "5", "--accept", "bounded"], 0],
    ["a violation is never accepted", [file.asserting, "--accept", "bounded"], 1],
    ["not supported is never accepted", [file.unsupported, "--accept", "bounded"], 3],
    ["a wrong model", [file.broken], 3],
    ["no such file", ["missing.pml"], 3],
    ["no such language", ["built-cli.xyz"], 3],
    ["no such property", [file.holding, "--property", "nothing"], 3],
    ["a model without anything else to check", [file.deadlocking, "--no-deadlock"], 0],
    [
      "nothing of what was asked for is left to check",
      [file.holding, "--property", "deadlock", "--no-deadlock"],
      3,
    ],
    ["violated and holds", [file.holding, file.deadlocking], 1],
    ["violated and unknown", [file.deadlocking, file.endless, "--max-depth", "5"], 1],
    ["unknown and holds", [file.holding, file.endless, "--max-depth", "10"], 2],
    ["bad input before everything", [file.deadlocking, file.broken, file.holding], 3],
  ];
  writeFileSync(join(cli.directory, "built-cli.xyz"), "");
  for (const [title, args, exitCode] of cases)
    test(`${exitCode}: ${title}`, async () => {
      const result = await cli.run(["check", ...args, "--quiet"]);
      expect(result, result.stderr).toMatchObject({ exitCode });
      expect(result.stderr).not.toMatch(/^ +at /m);
    });
});

describe("JSON", () => {
  test("one object on standard output and nothing else", async () => {
    const result = await cli.run(["check", file.asserting, "--json"]);
    const json = result.json();
    expect(result.stderr).toBe("");
    expect(json).toMatchObject({
      file: "asserting.pml",
      language: "promela",
      engine: "explicit",
      verdict: "violated",
      scope: { kind: "partial" },
    });
    expect(json.properties[0]).toMatchObject({
      name: "assertions",
      kind: "assertion",
      verdict: "violated",
      fault: "assertion",
    });
    expect(json.trace!.steps.map((step) => step.participants)).toEqual([
      ["S[0]", "R[1]"],
      ["R[1]"],
      ["S[0]", "R[1]"],
      ["R[1]"],
      ["R[1]"],
      ["R[1]"],
    ]);
    expect(json.trace!.steps[4]!.output).toBe("got 3\n");
    expect(json.stats.spin!.transitions).toBe(json.stats.transitions + 1);
  });

  test("different kinds of fault are told apart", async () => {
    const json = (await cli.run(["check", file.failingTwice, "--errors", "all", "--json"])).json();
    const violated = json.properties.filter((property) => property.verdict === "violated");
    expect(violated.map((property) => property.fault ?? property.kind).sort()).toEqual([
      "array-bounds",
      "assertion",
      "deadlock",
    ]);
    expect(json.scope.kind).toBe("complete");
    expect(json.unreached!.map((part) => part.line)).toContain(7);
  });

  test("a wrong model has its diagnostics in the object", async () => {
    const result = await cli.run(["check", file.broken, "--json"]);
    const json = result.json();
    expect(json).toMatchObject({ file: "broken.pml", verdict: "unknown", properties: [], trace: null });
    expect(json.diagnostics[0]).toMatchObject({ severity: "error", file: "broken.pml" });
    expect(result.stderr).toBe("");
  });

  test("wrong usage has its diagnostic in the object", async () => {
    const result = await cli.run(["check", "--json", "--serch", "bfs", file.holding]);
    expect(result.exitCode).toBe(3);
    expect(result.json().diagnostics).toMatchObject([{ code: "usage/unknown-option", severity: "error" }]);
  });

  test("several files are one object with one for each", async () => {
    const json = (await cli.run(["check", file.holding, file.deadlocking, "--json"])).json<FilesJson>();
    expect(json.verdict).toBe("violated");
    expect(json.files.map((f: CheckJson) => [f.file, f.verdict])).toEqual([
      ["holding.pml", "holds"],
      ["deadlocking.pml", "violated"],
    ]);
  });

  test("a property of a kind that is not supported is refused, at its place", async () => {
    const { exitCode, json } = await cli.run(["check", file.unsupported, "--json"]);
    expect(exitCode).toBe(3);
    expect(json().diagnostics).toMatchObject([
      { code: "session/property-not-supported", severity: "error", line: 3 },
    ]);
  });
});

describe("text", () => {
  test("a violated model", async () => {
    const { stdout } = await cli.run(["check", file.asserting]);
    const steady = stdout.replace(/[\d.]+ s\b|\([\d.,kM ]+ states\/s\)|[\d.]+ [kM]?B\b|[\d.]+ bytes/g, "…");
    await expect(steady).toMatchFileSnapshot("golden/asserting.txt");
  });

  test("colour when asked, none in a pipe, none with NO_COLOR on auto", async () => {
    const colored = await cli.run(["check", file.holding, "--color", "always"]);
    expect(colored.stdout).toContain("\u001b[32m");
    expect((await cli.run(["check", file.holding])).stdout).not.toContain("\u001b");
    expect((await cli.run(["check", file.holding], { env: { NO_COLOR: "1" } })).stdout).not.toContain(
      "\u001b",
    );
  });

  test("unreached code is told only after a complete search", async () => {
    expect((await cli.run(["check", file.failingTwice, "--errors", "all"])).stdout).toContain(
      "Never executed",
    );
    expect((await cli.run(["check", file.failingTwice])).stdout).not.toContain("Never executed");
  });

  test("the verdict, also where nothing could be checked", async () => {
    const system = `import { defineSystem } from "everypath/system";
      export default defineSystem<any>(() => { let hidden = 0;
        return { nodes: { a: () => ({ x: 0 }) }, actions: { go: { times: 2, run: (node) => { node.x = hidden++; } } } }; });`;
    const { stdout, stderr, exitCode } = await cli.run(["check", cli.write("hidden.ts", system)]);
    expect(stdout).toMatch(/^hidden\.ts: unknown: .*\(nothing was checked\)\n$/);
    expect(stderr).toContain("differs at a.x");
    expect(exitCode).toBe(2);
  });

  test("the way to where a condition fails", async () => {
    const system = `import { defineSystem } from "everypath/system";
      export default defineSystem<any>({ nodes: { a: () => ({ n: 0 }) }, actions: { go: { times: 5, run: (node) => { node.n++; } } },
        always: { small: ({ nodes }) => { if (nodes["a"].n === 2) throw new Error("oops"); return true; } } });`;
    const { stdout, exitCode } = await cli.run(["check", cli.write("failing.ts", system)]);
    expect(stdout).toContain("Trace  2 steps to: 'small' cannot be evaluated: Error: oops");
    expect(exitCode).toBe(3);
  });

  test("what was not asked for is said", async () => {
    expect((await cli.run(["check", file.asserting, "--no-deadlock"])).stdout).toContain(
      "not checked: deadlock",
    );
  });
});

describe("options", () => {
  test("definitions reach the preprocessor, in both spellings", async () => {
    const model = cli.write("define.pml", "active proctype A() { assert(N == 3) }\n");
    expect((await cli.run(["check", model, "-DN=3", "--quiet"])).exitCode).toBe(0);
    expect((await cli.run(["check", model, "-D", "N=4", "--quiet"])).exitCode).toBe(1);
  });

  test("Spin's -m and -q have their counterparts", async () => {
    const model = cli.write("full.pml", "chan q = [1] of { byte };\nactive proctype A() { q!1; q!2 }\n");
    expect((await cli.run(["check", model, "--quiet"])).exitCode).toBe(1);
    expect((await cli.run(["check", model, "--lose-when-full", "--quiet"])).exitCode).toBe(0);
    expect(
      (await cli.run(["check", model, "--lose-when-full", "--end-needs-empty-channels", "--quiet"])).exitCode,
    ).toBe(1);
  });

  test("the limit of processes can be set", async () => {
    const model = cli.write("run.pml", "proctype P() { false }\ninit { run P(); run P() }\n");
    const limited = await cli.run(["check", model, "--limit-processes", "2", "--no-deadlock", "--json"]);
    expect(limited.json().properties).toContainEqual(
      expect.objectContaining({ fault: "too-many-processes" }),
    );
    expect((await cli.run(["check", model, "--no-deadlock", "--quiet"])).exitCode).toBe(0);
  });

  test("depth-first finds what breadth-first finds", async () => {
    for (const search of ["bfs", "dfs"]) {
      const json = (
        await cli.run(["check", file.failingTwice, "--search", search, "--errors", "all", "--json"])
      ).json();
      expect(json.stats.states).toBe(3);
      expect(json.verdict).toBe("violated");
    }
  });
});

describe("files that are written", () => {
  test("page, chart, trace and code", async () => {
    await cli.run([
      "check",
      file.asserting,
      "--html",
      "r.html",
      "--svg",
      "r.svg",
      "--trace",
      "r.json",
      "--emit-code",
      "r.js",
    ]);
    const read = (name: string): string => readFileSync(join(cli.directory, name), "utf8");
    expect(read("r.html")).toMatch(/^<!doctype html>/);
    expect(read("r.svg")).toMatch(/^<svg /);
    expect(JSON.parse(read("r.json"))).toMatchObject({ format: "everypath-trace-1", file: "asserting.pml" });
    expect(read("r.js")).toContain("asserting.pml:4");
    expect(readdirSync(cli.directory).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("a place that cannot be written is refused before the search", async () => {
    const result = await cli.run(["check", file.endless, "--html", "nowhere/r.html"]);
    expect(result.exitCode).toBe(3);
    expect(result.stderr).toContain("usage/cannot-write");
    expect(result.stdout).toBe("");
  });

  test("the model is never overwritten, whatever its path is called", async () => {
    const model = cli.write("precious.pml", asserting);
    symlinkSync("precious.pml", join(cli.directory, "link.pml"));
    linkSync(join(cli.directory, "precious.pml"), join(cli.directory, "hard.pml"));
    for (const option of ["--trace", "--html", "--svg", "--emit-code"])
      for (const path of [model, `./${model}`, "link.pml", "hard.pml"]) {
        const result = await cli.run(["check", model, option, path]);
        expect(result).toMatchObject({ exitCode: 3, stdout: "" });
        expect(result.stderr).toContain("usage/overwrites-input");
      }
    expect(readFileSync(join(cli.directory, model), "utf8")).toBe(asserting);
  });

  test("nor is a file that it includes, and then nothing is written", async () => {
    const header = cli.write("precious.h", "#define N 3\n");
    const model = cli.write(
      "including.pml",
      '#include "precious.h"\nactive proctype A() { assert(N == 4) }\n',
    );
    const result = await cli.run(["check", model, "--trace", header, "--html", "including.html", "--quiet"]);
    expect(result).toMatchObject({ exitCode: 3 });
    expect(result.stderr).toContain("--trace would overwrite 'precious.h', which is part of the model");
    expect(readFileSync(join(cli.directory, header), "utf8")).toBe("#define N 3\n");
    expect(existsSync(join(cli.directory, "including.html"))).toBe(false);
  });

  test("two outputs in one file are refused", async () => {
    const result = await cli.run(["check", file.asserting, "--html", "both", "--svg", "./both"]);
    expect(result).toMatchObject({ exitCode: 3, stdout: "" });
    expect(result.stderr).toContain("--html and --svg would write the same file");
    expect(existsSync(join(cli.directory, "both"))).toBe(false);
  });

  test("nothing to write is said, and nothing is written", async () => {
    const result = await cli.run(["check", file.holding, "--trace", "none.json"]);
    expect(result.exitCode).toBe(0);
    expect(result.stderr).toContain("nothing to write to 'none.json'");
    expect(existsSync(join(cli.directory, "none.json"))).toBe(false);
  });

  test("one output for several models is refused", async () => {
    const result = await cli.run(["check", file.holding, file.asserting, "--html", "r.html"]);
    expect(result).toMatchObject({ exitCode: 3 });
    expect(result.stderr).toContain("usage/one-file");
  });
});

describe("long searches", () => {
  test("Ctrl-C stops the search and tells what is known", async () => {
    const result = await cli.run(["check", file.endless, "--memory", "1G"], {
      meanwhile: async (signal) => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        signal("SIGINT");
      },
    });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain("Ctrl-C again");
    expect(result.stdout).toContain("the search was interrupted");
  });

  test("plain progress lines go to standard error", async () => {
    const result = await cli.run(["check", file.endless, "--time", "6s", "--progress", "plain", "--quiet"]);
    expect(result.stderr).toMatch(
      /^[\d,]+ states, [\d.]+ [kM]? ?states\/s, depth [\d,]+, [\d,]+ waiting, .*B, [\d.]+ s$/m,
    );
  });
});
