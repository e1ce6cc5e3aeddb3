/** Rows of `conformance:c` about governed regions, bounded model checking and SystemC designs. */
import {
  checkBounded,
  Coverage,
  runConcolic,
  type ConcolicOptions,
  type Exploration,
} from "../src/engines/programs/index.js";
import { Machine } from "../src/engines/programs/machine.js";
import { Bits } from "../src/engines/programs/bits.js";
import { Executor, isAtEnd } from "../src/engines/programs/execute.js";
import { RegionRun } from "../src/engines/programs/concolic/region-run.js";
import { regionsOf, regionsOfSuccessors, type Region } from "../src/engines/programs/merging/regions.js";
import { startOf } from "../src/engines/programs/start.js";
import type { PathState } from "../src/engines/programs/state.js";
import type { Module } from "../src/model/module.js";
import type { Solver } from "../src/model/solver.js";
import type { Term } from "../src/model/terms.js";
import { loadProgram } from "../src/programs/index.js";
import { openSolver } from "../src/solvers/index.js";

type Row = (name: string, expected: string, obtain: () => string) => void;

const START = `#include <everypath.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);
`;
const NO_INPUTS = { args: new Map<number, number>(), stdin: undefined };

function moduleOf(text: string): Module {
  const source = (file: string): string | undefined => (file === "example.c" ? text : undefined);
  const { module, diagnostics } = loadProgram({
    file: "example.c",
    text,
    defines: [],
    compiler: undefined,
    source,
  });
  if (!module) throw new Error(diagnostics[0]?.message);
  return module;
}

function solving<T>(use: (solver: Solver) => T): T {
  const opened = openSolver({ name: "auto", timeMs: 120_000, memoryMb: 1024 });
  if (!opened) throw new Error("there is no solver");
  try {
    return use(opened.solver);
  } finally {
    opened.close();
  }
}

function finished(steps: Generator<Exploration, Exploration>): Exploration {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Errors, runs, queries and covered branch outcomes. */
function concolic(
  text: string,
  options: Partial<ConcolicOptions>,
  isStopping = false,
): Exploration & { readonly queries: number; readonly outcomes: string } {
  const module = moduleOf(text);
  const coverage = new Coverage(module);
  return solving((solver) => {
    const result = finished(
      runConcolic(
        { module, inputs: NO_INPUTS },
        solver,
        {
          strategy: "dfs",
          usesRegions: true,
          coversRegions: false,
          seed: 1,
          maxDepth: Infinity,
          maxRuns: Infinity,
          maxSteps: 1e6,
          ...options,
        },
        () => (isStopping ? "stop" : "continue"),
        coverage,
      ),
    );
    const branches = coverage.files().flatMap((file) => file.branches);
    const total = (of: (branch: (typeof branches)[number]) => number): number =>
      branches.reduce((sum, branch) => sum + of(branch), 0);
    const outcomes = `${total(({ taken }) => taken)}/${total((each) => each.outcomes)}`;
    return { ...result, queries: solver.figures().queries, outcomes };
  });
}

const bounded = (text: string, unwind: number): Exploration =>
  solving((solver) =>
    finished(
      checkBounded(
        { module: moduleOf(text), inputs: NO_INPUTS },
        solver,
        { unwind, maxDepth: Infinity, maxPaths: Infinity },
        () => "stop",
      ),
    ),
  );

const answer = ({ errors, gaps, bounds = [] }: Exploration): string =>
  errors.length > 0
    ? "ERROR"
    : gaps.size > 0
      ? `open: ${[...gaps.keys()].join(", ")}`
      : bounds.length > 0
        ? "bounded"
        : "no error";

const runs = (result: { readonly paths: number; readonly queries: number }): string =>
  `${result.paths} runs, ${result.queries} queries`;

const figure = `${START}int main(void) { unsigned x0 = __VERIFIER_nondet_int(), y0 = __VERIFIER_nondet_int(); int x = x0, y = y0;
  if (x > y) x = (unsigned)x - y; else {
    x = (unsigned)y - x;
    if (x > y) x = (unsigned)y - x; else { x = (unsigned)y - x; if (x == 0) goto ERROR; }
    y = x; if (y == 9) goto ERROR; }
  return 0; ERROR: reach_error(); }`;

const chain = (n: number, isElse: boolean): string =>
  `${START}int main(void) { unsigned acc = 0, up = 0; int i[${n}]; for (int k = 0; k < ${n}; k++) i[k] = __VERIFIER_nondet_int();
${Array.from({ length: n }, (_, k) => `if (i[${k}] > 0) acc++;${isElse ? " else up++;" : ""}`).join("\n")}
if (acc == ${n}) reach_error(); return 0; }`;

const brackets = `${START}int main(void) { char c, s[6]; int state = 0;
  while (1) { c = __VERIFIER_nondet_char(); symbolic(s, 6, "s");
${[..."[({~ax})]"].map((c, n) => `if (c == '${c}' && state == ${n}) state = ${n + 1};`).join("\n")}
    if (s[0]=='r' && s[1]=='e' && s[2]=='s' && s[3]=='e' && s[4]=='t' && s[5]==0 && state == 9) goto ERROR; }
  ERROR: reach_error(); }`;

const sideEntry = `${START}static int called; static void f(void) { called = 1; }
int main(void) { int c = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), x = 0;
  if (c > 0) { x = 1; if (d > 0) f(); } if (called) { if (y == 77) reach_error(); } return x; }`;

export function regionRows(row: Row): void {
  row("L2, 13.1: the governor, its region and its destinations", "0: 1 2 4 5 6 to 3 7", () => {
    const successors = [[1, 2], [3], [4, 5], [], [6], [6, 7], [3, 7], []];
    const { candidates, governors } = regionsOfSuccessors(successors, () => false);
    const numbers = (blocks: readonly number[] = []): string => [...blocks].sort((a, b) => a - b).join(" ");
    return governors
      .map((block) => candidates.get(block))
      .map((each) => `${each?.governor}: ${numbers(each?.blocks)} to ${numbers(each?.destinations)}`)
      .join("; ");
  });
  row("L2, 13.1: one summary in every topological order", "all orders agree", () => ordersAgree(figure));
  row("L3, 13.1 from (10, 5)", "ERROR, 2 runs, 1 queries", () => {
    const result = concolic(figure, { first: [10n, 5n] });
    return `${answer(result)}, ${runs(result)}`;
  });
  row("L3, region coverage: 8/8 in at most 6 runs", "8/8, true", () => {
    const result = concolic(figure, { first: [10n, 5n], coversRegions: true });
    return `${result.outcomes}, ${result.paths + (result.figures?.["sideRuns"] ?? 0) <= 6}`;
  });
  row("L4, listing 6.1, depth 8", "open: depth, 1 runs, 8 queries", () => {
    const result = concolic(brackets, { maxDepth: 8 });
    return `${answer(result)}, ${runs(result)}`;
  });
  for (const maxDepth of [9, 10, 12, 20])
    row(`L4, listing 6.1, depth ${maxDepth}`, "ERROR, 2 runs, 1 queries", () => {
      const result = concolic(brackets, { maxDepth }, true);
      return `${answer(result)}, ${runs(result)}`;
    });
  row(
    "L4, region coverage at depth 10",
    "50/50",
    () => concolic(brackets, { maxDepth: 10, coversRegions: true }).outcomes,
  );
  for (const isElse of [false, true])
    row(`L5, ${isElse ? "ifelse" : "ifthen"}(20)`, "ERROR, 2 runs, 1 queries", () => {
      const result = concolic(chain(20, isElse), {});
      return `${answer(result)}, ${runs(result)}`;
    });
  row("L5, ifthen(20), region coverage: all outcomes in at most 15 runs", "44/44, true", () => {
    const result = concolic(chain(20, false), { coversRegions: true });
    return `${result.outcomes}, ${result.paths + (result.figures?.["sideRuns"] ?? 0) <= 15}`;
  });
  row("L5, ifthen(8) without regions", "256 runs", () => {
    const result = concolic(chain(8, false), { usesRegions: false });
    return `${result.paths} runs`;
  });
  row("L7, side_entry with regions", "ERROR", () => answer(concolic(sideEntry, {})));
  for (const n of [1, 2]) {
    row(`L11, transmitter(${n}), regions`, "ERROR", () =>
      answer(concolic(transmitter(n), { strategy: "idfs" }, true)),
    );
    row(`L11, transmitter(${n}), bmc`, "ERROR", () => answer(bounded(transmitter(n), 2 * n + 3)));
  }
}

/** A summary of the first region for every topological order of its blocks: the same conditions and values for each destination. */
function ordersAgree(text: string): string {
  const module = moduleOf(text);
  return solving((solver) => {
    const executor = new Executor(machineFor(module, solver, () => active));
    let active: RegionRun | undefined;
    const { state, region } = firstRegion(executor);
    const summaries = topologicalOrders(region, state).map((blocks) => {
      active = new RegionRun(executor, { ...region, blocks });
      active.run(state.fork());
      return new Map(active.exits.map(({ key, state: exit }) => [key, solver.terms.and(exit.condition)]));
    });
    const [first, ...others] = summaries;
    for (const other of others)
      for (const [key, condition] of first ?? []) {
        const same = other.get(key);
        const { terms } = solver;
        const isDifferent = same && terms.not(terms.equal(condition, same));
        if (!isDifferent || solver.check([isDifferent], { purpose: "feasibility" }).kind !== "unsat")
          return `${key} differs`;
      }
    return summaries.length > 1 ? "all orders agree" : "there is one order";
  });
}

const machineFor = (module: Module, solver: Solver, active: () => RegionRun | undefined): Machine =>
  new Machine(
    {
      module,
      inputs: NO_INPUTS,
      solver,
      given: undefined,
      maxDepth: Infinity,
      decide: (state: PathState, term: Term) => active()?.decide(state, term) ?? true,
      onFork: () => undefined,
      onGap: () => undefined,
      onInput: () => undefined,
    },
    new Bits(solver.terms),
  );

function firstRegion(executor: Executor): { readonly state: PathState; readonly region: Region } {
  const state = startOf(executor);
  for (;;) {
    executor.runToBlockEnd(state, 1e6);
    const region = isAtEnd(state) ? regionsOf(state.frame.fn).candidates.get(state.frame.block) : undefined;
    if (region) return { state, region };
    executor.run(state, 1);
  }
}

function topologicalOrders(region: Region, { frame: { fn } }: PathState): number[][] {
  const successors = (block: number): readonly number[] => {
    const end = fn.blocks[block]?.end;
    return end?.kind === "branch" ? [end.yes, end.no] : end?.kind === "jump" ? [end.to] : [];
  };
  const found: number[][] = [];
  const extend = (order: number[], rest: readonly number[]): void => {
    if (rest.length === 0) found.push(order);
    for (const block of rest)
      if (!rest.some((other) => successors(other).includes(block)))
        extend(
          [...order, block],
          rest.filter((each) => each !== block),
        );
  };
  extend([], region.blocks);
  return found;
}

/** The sequentialised SystemC design: a master notifies the first of n transmitters, each the next; the last one fails. */
export function transmitter(n: number): string {
  const names = ["m", ...Array.from({ length: n }, (_, k) => `t${k + 1}`)];
  const all = (text: (name: string) => string): string => names.map(text).join("\n");
  const thread = (name: string, index: number): string => `static void ${name}(void) {
  if (${name}_pc == 0) goto ENTRY; else if (${name}_pc == 1) goto WAIT;
  ENTRY: ; while (1) {
${index === 0 ? `    E_t1 = 1; activate(); E_t1 = 2;` : ""}
    ${name}_pc = 1; ${name}_st = 2; return;
    WAIT: ;
${index === n ? "    reach_error();" : index === 0 ? "" : `    E_t${index + 1} = 1; activate(); E_t${index + 1} = 2;`}
  } }`;
  return `${START}
${all((name) => `static int ${name}_pc, ${name}_st, ${name}_i = 1, E_${name} = 2;`)}
static void activate(void) {
${all((name) => `  if (${name}_pc == 1) { if (E_${name} == 1) ${name}_st = 0; }`)} }
${names.map(thread).join("\n")}
static int runnable(void) { ${names.map((name) => `if (${name}_st == 0) return 1;`).join(" ")} return 0; }
static void eval(void) { while (1) { if (!runnable()) return;
${all((name) => `  if (${name}_st == 0) { if (__VERIFIER_nondet_int()) { ${name}_st = 1; ${name}(); } }`)} } }
int main(void) {
${all((name) => `  if (${name}_i == 1) ${name}_st = 0; else ${name}_st = 2;`)}
  while (1) { eval(); if (!runnable()) { E_m = 1; activate(); E_m = 2; } if (!runnable()) break; }
  return 0; }`;
}
