/** Temporal properties through the command line: verdicts, lassos in every output, replay. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { useCli } from "./built-cli.js";

const cli = useCli();
const looping = cli.write(
  "looping.pml",
  `bit p, q;
active proctype A() { do :: p = 1 - p od }
active proctype B() { q = 1 }
ltl ev { <> q }
`,
);
const ending = cli.write("ending.pml", "byte x;\nactive proctype A() { x = 1; x = 2 }\n");
const claim = cli.write("claim.ltl", "never two { do :: x == 2 -> break :: else od }\n");
const turning = cli.write(
  "turning.m",
  `var x: 0..3; startstate x := 0; end;
rule "on" x < 3 ==> x := x + 1; end; rule "back" x = 3 ==> x := 0; end; rule "idle" true ==> x := x; end;
ltl "round" [] <> x = 3;
`,
);
const tracing = cli.write(
  "tracing.pml",
  `chan q = [2] of { byte };
active proctype A() { q!1; q!2 }
active proctype B() { q?_; q?_ }
notrace { q!1; q?1 }
`,
);

describe("verdicts", () => {
  const cases: readonly (readonly [title: string, args: readonly string[], exitCode: number])[] = [
    ["a formula of the model", [looping], 1],
    ["the same under weak fairness", [looping, "--fairness", "weak"], 0],
    ["the same under strong fairness", [looping, "--fairness", "strong"], 0],
    ["another property of the model", [looping, "--property", "deadlock"], 0],
    ["a formula beside the model that holds", [ending, "--ltl", "<> (x == 2)"], 0],
    ["a formula beside the model that does not", [ending, "--ltl", "[] (x < 2)"], 1],
    [
      "two formulas, one of which does not hold",
      [ending, "--ltl", "<> (x == 2)", "--ltl", "[] <> (x == 1)"],
      1,
    ],
    ["a formula with a mistake", [ending, "--ltl", "[] y"], 3],
    ["a claim in a file of its own", [ending, "--claim", claim], 1],
    ["a trace of events that happens", [tracing], 1],
    ["a formula of a Murphi model", [turning], 1],
    ["the same under weak fairness", [turning, "--fairness", "weak"], 0],
    ["the same by two threads", [turning, "--workers", "2"], 1],
    [
      "a formula that holds, by two threads",
      [turning, "--workers", "2", "--ltl", "[] x < 4", "--property", "[] x < 4"],
      0,
    ],
    [
      "a formula that holds of cycles, by two threads",
      [turning, "--workers", "2", "--ltl", "[] (<> x = 1 | x = x)", "--property", "[] (<> x = 1 | x = x)"],
      0,
    ],
    ["a Murphi model, searched on disk", [turning, "--disk", join(cli.directory, "states")], 1],
    ["a lossy store proves nothing", [turning, "--store", "bitstate", "--fairness", "weak"], 2],
    ["Murphi formulas with mistakes", [turning, "--ltl", "[] y = 1", "--ltl", "<> (x = 1"], 3],
    ["a never claim for Murphi", [turning, "--claim", claim], 3],
    ["a budget that is spent", [looping, "--property", "ev", "--fairness", "weak", "--max-states", "1"], 2],
  ];
  for (const [title, args, exitCode] of cases)
    test(`${exitCode}: ${title}`, async () => {
      const result = await cli.run(["check", ...args, "--quiet"]);
      expect(result, result.stderr).toMatchObject({ exitCode });
    });

  for (const emptiness of ["cou99", "cou99-shy", "cvwy90", "se05", "tau03opt", "gv04"])
    test(`the emptiness check ${emptiness}`, async () => {
      const ask = (fairness: string) =>
        cli.run([
          "check",
          looping,
          "--property",
          "ev",
          "--emptiness",
          emptiness,
          "--fairness",
          fairness,
          "--json",
        ]);
      const [all, fair] = [(await ask("none")).json(), (await ask("weak")).json()];
      expect([all.verdict, fair.verdict]).toEqual(["violated", "holds"]);
      expect(all.runs).toMatchObject([{ properties: ["ev"], method: emptiness, automaton: { states: 1 } }]);
      expect(fair.runs).toMatchObject([{ fairness: "weak" }]);
    });
});

test("all mistakes in formulas of the command line are shown where they are", async () => {
  const { stderr } = await cli.run(["check", turning, "--ltl", "[] y = 1 & z", "--ltl", "<> (x = 1"]);
  expect([...stderr.matchAll(/^--ltl .*$/gm)].map(([line]) => line.replace(/:[^:]*$/, ""))).toEqual([
    "--ltl 1:1:4: error[murphi/unknown-name]",
    "--ltl 1:1:12: error[murphi/unknown-name]",
    "--ltl 2:1:10: error[murphi/unexpected-end]",
  ]);
});

test("an emptiness check that cannot decide it says so", async () => {
  const args = ["check", looping, "--property", "ev", "--emptiness", "dfs", "--fairness", "weak", "--json"];
  const { exitCode, json } = await cli.run(args);
  expect(exitCode).toBe(2);
  expect(json().properties).toMatchObject([{ verdict: "unknown", advice: "use --emptiness auto" }]);
});

describe("a lasso", () => {
  const trace = join(cli.directory, "lasso.json");
  const svg = join(cli.directory, "lasso.svg");
  const html = join(cli.directory, "lasso.html");

  test("is shown with its loop in text, chart, page and JSON", async () => {
    const { stdout } = await cli.run(["check", looping, "--trace", trace, "--svg", svg, "--html", html]);
    expect(stdout).toMatch(/the loop begins here/);
    expect(stdout).toMatch(/the loop goes back to step \d/);
    expect(stdout).toMatch(/automaton of ev: 1 state/);
    expect(readFileSync(svg, "utf8")).toMatch(/msc-loop.*the loop: steps/);
    expect(readFileSync(html, "utf8")).toMatch(/class="gap loop">the loop begins here/);
    const json = (await cli.run(["check", looping, "--json"])).json();
    expect(json.trace).toMatchObject({
      schedule: expect.stringMatching(/\(.+\)$/),
      loopStart: expect.any(Number),
    });
    expect(json.stats.states).toBe(
      json.runs.reduce((sum: number, run: { stats: { states: number } }) => sum + run.stats.states, 0),
    );
  });

  test("is replayed from its file and from its schedule", async () => {
    await cli.run(["check", looping, "--trace", trace]);
    const again = await cli.run(["replay", trace]);
    expect(again).toMatchObject({ exitCode: 1 });
    expect(again.stdout).toMatch(/reproduced.*formula ev is violated by a cycle/);
    const { schedule } = JSON.parse(readFileSync(trace, "utf8")) as { schedule: string };
    expect(await cli.run(["replay", schedule, looping])).toMatchObject({ exitCode: 1 });
  });

  test("that does not close, or violates nothing, reproduces nothing", async () => {
    const open = await cli.run(["replay", "0(0)", looping]);
    expect(open.stdout).toMatch(/not reproduced/);
    const harmless = await cli.run(["replay", "0(1*2)", looping]);
    expect(harmless.stdout).toMatch(/not reproduced.*the loop violates no temporal property/);
  });

  test("of an execution that ends has no steps in its loop", async () => {
    const args = ["check", ending, "--property", "[] <> (x == 1)", "--ltl", "[] <> (x == 1)"];
    const { stdout } = await cli.run(args);
    expect(stdout).toMatch(/nothing can move any more/);
    const json = (await cli.run([...args, "--json"])).json();
    expect(json.trace!.schedule).toMatch(/\(\)$/);
  });

  test("a violation that shows after finitely many steps has no loop, and is a shortest one", async () => {
    const args = ["check", ending, "--property", "[] (x < 2)", "--ltl", "[] (x < 2)", "--json"];
    const json = (await cli.run(args)).json();
    expect(json.trace).toMatchObject({ length: 2, loopStart: null });
    expect(json.runs).toMatchObject([{ method: "bfs" }]);
  });
});
