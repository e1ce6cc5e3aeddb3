/** Deliberately wrong reductions through the product: an internal error, never a verdict. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { Exit } from "../../src/cli/exit-codes.js";
import { run } from "../../src/cli/run.js";
import type { Terminal } from "../../src/cli/terminal.js";
import type { Candidacy, Edge, Effect, Program } from "../../src/model/index.js";
import { targetsOf } from "../../src/model/program-walk.js";
import type { RuleProgram } from "../../src/model/rules.js";
import type * as Dead from "../../src/transforms/reduction/dead.js";
import type * as Marking from "../../src/transforms/reduction/marking.js";
import type * as Merge from "../../src/transforms/reduction/merge.js";
import type { Rewriting } from "../../src/transforms/reduction/rewriting.js";
import type * as Slice from "../../src/transforms/reduction/slice.js";
import type * as SymmetryPlan from "../../src/transforms/symmetry/plan.js";

/** Reductions without their conditions. */
const undone = vi.hoisted(() => new Set<string>());

vi.mock("../../src/transforms/reduction/marking.js", async (load) => {
  const real = await load<typeof Marking>();
  const marking = (program: Program, options: Marking.MarkingOptions): Candidacy => {
    const candidacy = real.marking(program, options);
    const everywhere = candidacy.locations.map((template) =>
      template.map(() => ({ conditions: [], needsNoCreators: false })),
    );
    return undone.has("por") ? { ...candidacy, locations: everywhere } : candidacy;
  };
  return { ...real, marking };
});

vi.mock("../../src/transforms/reduction/merge.js", async (load) => {
  const real = await load<typeof Merge>();
  const mergeStatements: typeof Merge.mergeStatements = (program, sight) =>
    undone.has("merge") ? real.mergeAsSpin(program, () => false) : real.mergeStatements(program, sight);
  return { ...real, mergeStatements };
});

vi.mock("../../src/transforms/reduction/dead.js", async (load) => {
  const real = await load<typeof Dead>();
  const resetDead: typeof Dead.resetDead = (program, observed) =>
    undone.has("dead")
      ? rewritten(program, (edge) => [
          ...edge.effects,
          ...[...targetsOf(edge)].map((target): Effect => ({ ...zero, target })),
        ])
      : real.resetDead(program, observed);
  return { ...real, resetDead };
});

vi.mock("../../src/transforms/reduction/slice.js", async (load) => {
  const real = await load<typeof Slice>();
  const slice: typeof Slice.slice = (program, options) =>
    undone.has("slice")
      ? rewritten(program, (edge) => edge.effects.filter(({ kind }) => kind !== "assign"))
      : real.slice(program, options);
  return { ...real, slice };
});

vi.mock("../../src/transforms/symmetry/plan.js", async (load) => {
  const real = await load<typeof SymmetryPlan>();
  const planSymmetry = (program: RuleProgram): SymmetryPlan.SymmetryPlan =>
    undone.has("symmetry")
      ? { scalarsets: [...program.scalarsets.keys()], refused: [] }
      : real.planSymmetry(program);
  return { ...real, planSymmetry };
});

const zero = { kind: "assign", value: { kind: "constant", value: 0 } } as const;

function rewritten(program: Program, effectsOf: (edge: Edge) => Effect[]): Rewriting {
  const origins = new Map<Edge, readonly Edge[]>();
  const changed = (edge: Edge): Edge => {
    const other = { ...edge, effects: effectsOf(edge) };
    origins.set(other, [edge]);
    return other;
  };
  const templates = program.templates.map((template) => ({
    ...template,
    locations: template.locations.map((location) => ({ ...location, edges: location.edges.map(changed) })),
  }));
  return { program: { ...program, templates }, origins };
}

const folder = mkdtempSync(join(tmpdir(), "everypath-sampling-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => undone.clear());

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function check(name: string, text: string, ...options: readonly string[]): Promise<Ran> {
  const file = join(folder, name);
  writeFileSync(file, text);
  let [stdout, stderr] = ["", ""];
  const sink = (add: (text: string) => void) => ({
    isTTY: false,
    write: (written: string) => (add(written), true),
  });
  const terminal = {
    stdout: sink((written) => (stdout += written)),
    stderr: sink((written) => (stderr += written)),
    env: {},
  } as unknown as Terminal;
  const code = await run(["check", file, ...options], terminal);
  return { code, stdout, stderr };
}

/** One step of each process in either order, repeatedly; without errors. */
const racing = `byte x, y; byte turns;
active proctype A() { byte k; do :: turns < 9 -> k = 3; x = k; y = x; turns++ :: else -> break od }
active proctype B() { byte k; do :: turns < 9 -> k = 5; x = k; y = x; turns++ :: else -> break od }
`;

/** Elements are interchangeable unless a rule picks the last one. */
const alike = `
type S: scalarset(3);
var seen: array[S] of 0..3; last: 0..3;
startstate begin for i: S do seen[i] := 0; end; last := 0; end;
ruleset i: S do rule "see" seen[i] < 3 ==> begin seen[i] := seen[i] + 1; end; end;
ruleset i: S do rule "forget" seen[i] = 3 ==> begin seen[i] := 0; end; end;
invariant "few" forall i: S do seen[i] <= 3 end;
`;
const picking = `${alike}rule "pick" begin for i: S do last := seen[i]; end; end;`;

const modes: readonly (readonly [string, readonly string[]])[] = [
  ["breadth-first", []],
  ["depth-first", ["--search", "dfs"]],
];

describe.each(["slice", "dead", "merge", "por"])("%s without its conditions", (reduction) => {
  const invariant = ["--invariant", "x != 7"];
  const options = ["--reduction", reduction, ...invariant];

  test.each(modes)("%s", async (_, mode) => {
    expect(await check("racing.pml", racing, ...options, ...mode)).toMatchObject({ code: Exit.holds });
    undone.add(reduction);
    const { code, stdout, stderr } = await check("racing.pml", racing, ...options, ...mode);
    expect(code).toBe(Exit.internal);
    expect(stdout).toBe("");
    expect(stderr).toContain(`internal error: the reduction '${reduction}' must not be used here, and was: `);
    expect(stderr).toMatch(/\n {4}x = \d\n/);
    expect(stderr).toMatch(/\n {4}A\[0\] at .*racing\.pml:2\n/);
    expect(stderr).toContain("--plain checks without reductions");
  });

  test("where it begins after a search of the whole system", async () => {
    const larger = racing.replaceAll("turns < 9", "turns < 60");
    undone.add(reduction);
    const { code, stderr } = await check("larger.pml", larger, ...invariant, "--max-states", "2000");
    expect(code).toBe(Exit.internal);
    expect(stderr).toContain(`the reduction '${reduction}'`);
  });

  test("with --json", async () => {
    undone.add(reduction);
    const { code, stdout } = await check("racing.pml", racing, ...options, "--json");
    expect([code, stdout]).toEqual([Exit.internal, ""]);
  });

  test("with --plain nothing is reduced, and nothing tested", async () => {
    undone.add(reduction);
    expect(await check("racing.pml", racing, ...invariant, "--plain")).toMatchObject({ code: Exit.holds });
  });

  test.each([
    ["a violation shows in finitely many steps", "[] (y != 7)"],
    ["a violation is a cycle", "<> [] (y != 7)"],
  ])("a temporal property: %s", async (_, formula) => {
    const temporal = ["--ltl", formula, "--property", formula, "--reduction", reduction];
    expect(await check("racing.pml", racing, ...temporal)).toMatchObject({ code: Exit.holds });
    undone.add(reduction);
    const { code, stderr } = await check("racing.pml", racing, ...temporal);
    expect(stderr).toContain(`the reduction '${reduction}'`);
    expect(code).toBe(Exit.internal);
  });
});

describe("symmetry of elements that are not alike", () => {
  test.each(modes)("%s", async (_, mode) => {
    const options = ["--reduction", "symmetry", ...mode];
    expect(await check("alike.m", alike, ...options)).toMatchObject({ code: Exit.holds });
    undone.add("symmetry");
    const { code, stdout, stderr } = await check("picking.m", picking, ...options);
    expect(code).toBe(Exit.internal);
    expect(stdout).toBe("");
    expect(stderr).toContain("the reduction 'symmetry' must not be used here, and was: ");
    expect(stderr).toMatch(/\n {4}seen\[S_0\] = \d\n/);
  });
});
