import { expect, test } from "vitest";
import { version } from "../../src/report/index.js";
import { useCli } from "./built-cli.js";
import { holding } from "./models.js";

const cli = useCli();
const model = cli.write("m.pml", holding);

/** Arguments, and patterns for the code and the advice of the diagnostic. */
const mistakes: readonly (readonly [readonly string[], RegExp, RegExp])[] = [
  [["chekc", model], /usage\/unknown-command.*did you mean check/, /there are: check/],
  [["tset", model], /unknown command 'tset'/, /there are: check/],
  [["explore", "missing.pml"], /usage\/cannot-read.*no such file/, /missing/],
  [["explore", model, "--at", "left"], /usage\/bad-value.*no schedule/, /list of choices/],
  [["explore", model, "--port", "70000"], /usage\/bad-value/, /0 to 65535/],
  [["check"], /usage\/missing-argument/, /file/],
  [["check", model, "--serch", "bfs"], /usage\/unknown-option.*did you mean --search/, /--help/],
  [
    ["check", model, "--search", "sideways"],
    /'--search sideways' is unknown/,
    /takes bfs, dfs, random, guided, delays, preemptions or pct/,
  ],
  [["check", model, "--store", "stratified"], /'--store stratified' is unknown/, /compact or bitstate/],
  [
    ["check", model, "--store", "compact", "--hash-bits", "65"],
    /out of range for --hash-bits \(4 to 64\)/,
    /4 to 64/,
  ],
  [
    ["check", model, "--max-states", "99999999999999999999"],
    /is out of range for --max-states \(1 to 9007199254740991\)/,
    /1 to 9007199254740991/,
  ],
  [
    ["check", model, "--store", "delta", "--delta-distance", "0"],
    /'0' is out of range for --delta-distance/,
    /1 to 65535/,
  ],
  [
    ["check", model, "--reduction", "por,transactions"],
    /'--reduction transactions' is not supported yet/,
    /takes slice, dead, merge, por, symmetry, /,
  ],
  [["check", model, "--ltl", " "], /usage\/bad-value.*the formula is empty/, /takes a formula/],
  [["check", model, "--fairness", "some"], /'--fairness some' is unknown/, /takes none, weak or strong/],
  [["check", model, "--emptiness", "best"], /'--emptiness best' is unknown/, /cou99/],
  [["check", model, "--workers", "0"], /usage\/bad-value/, /whole number, 1 to 256/],
  [["check", model, "--max-states", "many"], /usage\/bad-value/, /whole number/],
  [["check", model, "--memory", "lots"], /usage\/bad-value/, /500M, 2G/],
  [["check", model, "--time", "soon"], /usage\/bad-value/, /90s, 5m/],
  [["check", model, "--errors", "0"], /usage\/bad-value/, /or 'all'/],
  [["check", model, "--property"], /usage\/option-missing-argument/, /--property/],
  [["check", model, "-D", "3=x"], /usage\/bad-value/, /NAME=VALUE/],
  [["check", model, "--color", "blue"], /usage\/bad-value/, /auto, always or never/],
  [["--versio"], /usage\/unknown-option/, /hint: everypath --help lists/],
  [["check", model, "--invariant", " "], /usage\/bad-value.*the expression is empty/, /takes a condition/],
  [["simulate", model, "--trace", "not a trace"], /usage\/no-trace/, /schedule/],
  [["simulate", "missing.pml"], /usage\/cannot-read.*no such file/, /missing/],
  [["simulate", model, "extra"], /usage\/excess-arguments/, /simulate/],
  [["replay", "0.1"], /usage\/missing-file/, /TRACE FILE/],
];

for (const [args, problem, advice] of mistakes)
  test(`everypath ${args.join(" ")}`, async () => {
    const result = await cli.run(args);
    expect(result.exitCode).toBe(3);
    expect(result.stdout).toBe("");
    expect(result.stderr).toMatch(/^command line:1:\d+: error\[usage\//);
    expect(result.stderr).toMatch(problem);
    expect(result.stderr).toMatch(advice);
  });

test("a misspelt property is corrected", async () => {
  const { exitCode, stderr } = await cli.run(["check", model, "--property", "deadlok"]);
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/there is no property 'deadlok'/);
  expect(stderr).toMatch(/hint: did you mean `deadlock`\? --property takes one of/);
});

test.each([
  [{ FORCE_COLOR: "1" }, true],
  [{ FORCE_COLOR: "0" }, false],
  [{}, false],
])("%j on a pipe", async (env, isColored) => {
  const { stdout } = await cli.run(["check", model], { env: { FORCE_COLOR: "", ...env } });
  expect(stdout.includes("\u001b[")).toBe(isColored);
});

test("the mistake is underlined on the command line", async () => {
  const { stderr } = await cli.run(["check", model, "--search", "sideways"]);
  const [, line, carets] = stderr.split("\n");
  expect(line!.slice(carets!.indexOf("^"), carets!.lastIndexOf("^") + 1)).toBe("sideways");
});

test("version and help are no mistakes", async () => {
  expect(await cli.run(["--version"])).toMatchObject({ exitCode: 0, stdout: `${version}\n` });
  for (const args of [[], ["--help"], ["check", "--help"], ["simulate", "--help"], ["replay", "--help"]]) {
    const help = await cli.run(args);
    expect(help).toMatchObject({ exitCode: 0, stderr: "" });
    expect(help.stdout).toMatch(/^Usage: everypath/);
  }
});

test("sizes and durations as people write them", async () => {
  for (const size of ["2G", "500M", "1.5GiB", "64mb", "9999999"])
    expect(await cli.run(["check", model, "--quiet", "--memory", size])).toMatchObject({ exitCode: 0 });
  for (const time of ["90", "90s", "5m", "1.5h", "60000ms"])
    expect(await cli.run(["check", model, "--quiet", "--time", time])).toMatchObject({ exitCode: 0 });
});

test("languages, engines and options come from the registry and the definitions", async () => {
  expect((await cli.run(["languages"])).stdout).toMatch(/^promela +\.pml /);
  expect((await cli.run(["engines"])).stdout).toMatch(/^explicit /m);
  expect((await cli.run(["options"])).stdout).toMatch(/^check +--search <order>/m);
  expect((await cli.run(["languages", "--json"])).json<{ name: string }[]>()[0]).toMatchObject({
    name: "promela",
  });
});

test("a bug of ours asks for a report, without a stack unless it is wanted", async () => {
  // Preloads a module that breaks one of our dependencies.
  const breaking = cli.write(
    "break.cjs",
    "Object.defineProperty(process, 'constrainedMemory', { value() { throw new Error('broken') } });",
  );
  const env = { NODE_OPTIONS: `--require=./${breaking}` };
  const plain = await cli.run(["check", model], { env });
  expect(plain.exitCode).toBe(70);
  expect(plain.stderr).toMatch(/internal error: broken\nThis is a bug in Everypath\. Please report it/);
  expect(plain.stderr).not.toMatch(/^ +at /m);
  expect((await cli.run(["check", model], { env: { ...env, EVERYPATH_DEBUG: "1" } })).stderr).toMatch(
    /^ +at /m,
  );
});
