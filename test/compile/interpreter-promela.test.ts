/** The reference semantics on real models: the counts of Spin's verifier without reductions. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadPromela } from "../../src/languages/promela/index.js";
import { Sources, type Program } from "../../src/model/index.js";
import { narrate } from "../../src/report/index.js";
import { cases, expectCases } from "./cases.js";
import { Walk, interpreterOf, reachable } from "./walk.js";

function load(text: string, defines: Record<string, string> = {}): Program {
  const { program, diagnostics } = loadPromela({
    file: "model.pml",
    text,
    defines: Object.entries(defines).map(([name, value]) => ({ name, value })),
    readFile: () => undefined,
    sources: new Sources(),
  });
  if (!program) throw new Error(diagnostics.map((d) => d.message).join("\n"));
  return program;
}

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/promela/conformance/${name}.pml`, import.meta.url), "utf8");

describe("nominal states and errors are Spin's", () => {
  test.each([
    { name: "m01", states: 13 },
    { name: "m02", states: 8 },
    { name: "m03", states: 12 },
    { name: "m04", states: 10 },
    { name: "m05", states: 17 },
    { name: "m06", states: 34 },
    { name: "m07", states: 12 },
    { name: "m08", states: 21 },
    { name: "m09", states: 3, deadlocks: 1 },
    { name: "m10", states: 3 },
    { name: "m11", states: 6 },
    { name: "m17", states: 38 },
    { name: "petersonN", states: 294, defines: { N: "2" } },
    { name: "handover", states: 10865 },
  ])("$name", ({ name, states, deadlocks = 0, defines = {} }) => {
    const found = reachable(interpreterOf(load(fixture(name), defines)));
    expect(found).toEqual({ states, deadlocks, faults: new Map() });
  });
});

describe("as Spin has it", () => expectCases(cases));

/** Follows the first choice until none is left. */
function firstRun(walk: Walk, steps: number): string[] {
  const taken: string[] = [];
  while (taken.length < steps && walk.choices.length > 0) {
    taken.push(walk.choices[0]!);
    walk.take(0);
  }
  return taken;
}

describe("told to people", () => {
  test("a rendezvous between atomic sequences hands control to the receiver", () => {
    const walk = new Walk(load(fixture("m03")));
    walk.take(walk.choices.findIndex((c) => c.startsWith("X[0]")));
    expect(walk.choices).toEqual(["X[0]+Y[1]: c!0 | c?0 *"]);
    expect(walk.take(0).choices).toEqual(["Y[1]: assert(step == 1) *"]);
    expect(walk.take(0).choices).toEqual(["Y[1]: step = 10"]);
  });

  test("a process that was created has a name, a place and values, until it is gone", () => {
    const walk = new Walk(load(`proctype C(byte n) { n = n + 1 } init { run C(3) }`));
    walk.take(0);
    expect(walk.values).toEqual({ "C[1]:n": "3" });
    expect(firstRun(walk, 9)).toEqual(["C[1]: n = n + 1", "C[1]: -end-", "init[0]: -end-"]);
    expect(walk.values).toEqual({});
    expect(walk.isValidEnd).toBe(true);
  });

  test("a trace of choices replays with what it printed and sent", () => {
    const program = load(`
      mtype = { ask, reply };
      chan c = [2] of { mtype, byte };
      active proctype P() { c!ask(5); printf("sent %e\\n", ask); c?reply(_) }`);
    const system = interpreterOf(program);
    const narration = narrate(system, { choices: [0, 0], loopStart: undefined });
    expect(narration.kind).toBe("narrated");
    const [send, print] = narration.narrative.steps;
    expect(send!.messages).toMatchObject([{ kind: "send", channel: "c", message: "ask(5)", from: "P[0]" }]);
    expect(send!.changes).toEqual(new Map([["c", "[ask(5)]"]]));
    expect(print!.output).toBe("sent ask\n");
  });
});
