/**
 * Concolic runs with bounded model checking of governed regions (LLSPLAT).
 *
 * A run executes the program with concrete inputs and keeps what its values depend on. Each decision that depends on inputs becomes a
 * node with its alternatives; a strategy picks an alternative, a solver gives inputs for it, and the next run goes on from there. A
 * governed region is one node with an alternative for each way out (`region-run.ts`), for all paths through it.
 *
 * Read `#run` first, then `#enterRegion` and `strategies.ts`. Always true: each run is repeated with plain numbers, which shows its errors and
 * what it covers; if the two differ, the search is incomplete.
 */
import type { Solver } from "../../../model/solver.js";
import { evaluate, variablesOf, type Term } from "../../../model/terms.js";
import { Bits } from "../bits.js";
import type { Coverage } from "../coverage.js";
import { Distances } from "../distances.js";
import { Executor, isAtEnd } from "../execute.js";
import type { Exploration } from "../explore.js";
import { Findings, valuesOf, type FoundError } from "../findings.js";
import { assume, Ended, Machine, type Runnable } from "../machine.js";
import { regionsOf, type Region } from "../merging/regions.js";
import { runConcretely, type ConcreteRun } from "../run.js";
import { startOf } from "../start.js";
import type { PathEnd, PathState } from "../state.js";
import { isTerm, type Value } from "../values.js";
import type { ConcolicOptions } from "./options.js";
import { Inputs } from "./inputs.js";
import { exitFor, Inexact, RegionRun, type Exit, type Outcome } from "./region-run.js";

export interface Alternative {
  /** Just after the decision; absent: no longer needed. */
  state: PathState | undefined;
  readonly end: PathEnd | undefined;
  status: "open" | "covered" | "infeasible" | "unknown";
}

/** A decision of the current run. */
export interface Node {
  readonly alternatives: readonly Alternative[];
  taken: number;
  /** Of a region: outcomes of its branches. */
  readonly goals:
    { readonly fn: string; readonly outcomes: Outcome[]; readonly requests: PathState["inputs"] } | undefined;
}

/** Instructions between two returns to the caller. */
const SLICE = 20_000;
/** A region without an exact summary is not tried again after this number of times. */
const MOST_FAILURES = 3;
/** Unsatisfiable goals, after which an outcome is given up. */
const MOST_ATTEMPTS = 8;

export class ConcolicSearch {
  readonly findings: Findings;
  readonly distances = new Distances();
  readonly inputs: Inputs;
  readonly options: ConcolicOptions;
  /** Decisions of the current run. */
  path: Node[] = [];
  /** Largest number of decisions that a run records; `idfs` raises it. */
  depth: number;
  /** Some run had more decisions. */
  isCut = false;
  /** Nothing is left to run. */
  isFinished = false;
  runs = 0;
  readonly #program: Runnable;
  readonly #solver: Solver;
  readonly #coverage: Coverage;
  readonly #executor: Executor;
  readonly #failures = new Map<Region, number>();
  readonly #attempts = new Map<string, number>();
  #region: RegionRun | undefined;
  /** Variables on which the last satisfiable condition depends. */
  #mentioned: ReadonlyMap<number, bigint> = new Map();
  #instructions = 0;
  #deepest = 0;
  #readsInput = false;
  #sideRuns = 0;
  #divergences = 0;
  #visits = 0;
  #inexact = 0;

  constructor(
    program: Runnable,
    solver: Solver,
    options: ConcolicOptions,
    coverage: Coverage,
    onError: (error: FoundError) => "continue" | "stop",
  ) {
    this.#program = program;
    this.#solver = solver;
    this.#coverage = coverage;
    this.options = options;
    this.depth = options.maxDepth;
    this.findings = new Findings(program, onError);
    this.inputs = new Inputs(options.seed, options.first ?? []);
    const machine = new Machine(
      {
        ...program,
        solver,
        given: undefined,
        maxDepth: Infinity,
        decide: (state, term) => (this.#region ?? this).decide(state, term),
        onModel: () => {
          if (this.#region) throw new Inexact(); // sound: test/engines/programs/llsplat.test.ts
        },
        onRequest: (state, variables) => this.inputs.request(state, variables),
        onFork: () => undefined,
        onGap: (gap, detail) => this.findings.note(gap, detail),
        onInput: () => (this.#readsInput = true),
      },
      new Bits(solver.terms),
    );
    this.#executor = new Executor(machine);
  }

  get isStopped(): boolean {
    return this.findings.isStopped || this.runs >= this.options.maxRuns;
  }

  /** From the start of the program; `isFresh`: with new random inputs. */
  *fromStart(isFresh: boolean): Generator<undefined> {
    this.path = [];
    this.inputs.begin(isFresh);
    try {
      const state = startOf(this.#executor);
      yield* this.#run(state, undefined);
    } catch (ended) {
      if (!(ended instanceof Ended)) throw ended;
      this.findings.finish(undefined, ended.end);
      this.runs++;
    }
  }

  /** With the model that the last successful `solve` found. */
  *from(index: number, taken: number): Generator<undefined> {
    const node = this.path[index];
    const alternative = node?.alternatives[taken];
    if (!node || !alternative?.state) throw new Error("an alternative is solved before it runs");
    this.path.length = index + 1;
    node.taken = taken;
    alternative.status = "covered";
    const state = alternative.state.fork();
    if (!this.#keepsTaken) alternative.state = undefined;
    state.model = this.inputs.model;
    yield* this.#run(state, alternative.end);
  }

  /** Can the program take an alternative? If so, the inputs become those that do. */
  solve(alternative: Alternative): boolean {
    if (!alternative.state || alternative.status === "infeasible" || alternative.status === "unknown")
      return false;
    const answer = this.#satisfy(alternative.state.condition);
    if (answer === "sat") return true;
    // sound: test/engines/programs/llsplat.test.ts
    alternative.status = answer === "unsat" ? "infeasible" : "unknown";
    alternative.state = undefined;
    return false;
  }

  #satisfy(condition: readonly Term[]): "sat" | "unsat" | "unknown" {
    const answer = this.#solver.check(condition, { purpose: "feasibility" });
    if (answer.kind === "unsat") return "unsat";
    if (answer.kind === "unknown") {
      this.findings.note("solver", answer.reason); // sound: test/engines/programs/llsplat.test.ts
      return "unknown";
    }
    const found = this.#solver.model();
    const mentioned = new Map<number, Term>();
    const seen = new Set<number>();
    for (const literal of condition) variablesOf(literal, mentioned, seen);
    const values = new Map<number, bigint>();
    for (const [id, variable] of mentioned)
      if (variable.kind === "variable") values.set(id, found.value(variable));
    this.inputs.update(values);
    this.#mentioned = values;
    return "sat";
  }

  /** Strategies other than depth-first ones come back to alternatives that they have left. */
  get #keepsTaken(): boolean {
    return this.options.strategy !== "dfs" && this.options.strategy !== "idfs";
  }

  decide(state: PathState, term: Term): boolean {
    const isTrue = this.#holds(term);
    this.#checkDepth();
    const { terms } = this.#executor.machine.bits;
    const [excluded, literal] = isTrue ? [terms.not(term), term] : [term, terms.not(term)];
    const other = state.fork();
    assume(other, literal, excluded);
    assume(state, excluded, literal);
    this.#stepOver(other);
    const same = this.#keepsTaken ? state.fork() : undefined;
    this.path.push({
      alternatives: [
        { state: same, end: undefined, status: "covered" },
        { state: other, end: undefined, status: "open" },
      ],
      taken: 0,
      goals: undefined,
    });
    return isTrue;
  }

  /** To the block behind the branch, whose distance from new code counts. */
  #stepOver(other: PathState): void {
    if (this.options.strategy !== "cfg" || !isAtEnd(other)) return;
    const { fn, block } = other.frame;
    if (fn.blocks[block]?.end.kind === "branch") this.#executor.run(other, 1);
  }

  #checkDepth(): void {
    this.#deepest = Math.max(this.#deepest, this.path.length);
    if (this.path.length < this.depth) return;
    this.isCut = true; // sound: test/engines/programs/llsplat.test.ts
    throw new Ended({ kind: "cut" });
  }

  #holds(term: Term, known?: Map<number, bigint>): boolean {
    const { model } = this.inputs;
    return evaluate(term, { value: ({ id }) => model.get(id) ?? 0n }, known) === 1n;
  }

  *#run(start: PathState, ended: PathEnd | undefined): Generator<undefined> {
    const first = this.path.length;
    let state = start;
    let end = ended;
    const before = start.steps;
    while (!end) {
      end = this.#executor.runToBlockEnd(state, SLICE);
      if (!end && isAtEnd(state)) {
        const exit = this.#atBlockEnd(state);
        if (exit) [state, end] = [exit.state, exit.end];
      }
      if (!end && state.steps - before > this.options.maxSteps) {
        this.findings.note("limit", `a run has more than ${this.options.maxSteps} steps`); // sound: test/engines/programs/llsplat.test.ts
        end = { kind: "cut" };
      }
      yield;
    }
    this.#instructions += state.steps - before;
    this.runs++;
    this.#finish(state, end);
    if (this.options.coversRegions) yield* this.#coverRegions(Math.max(0, first - 1));
  }

  #atBlockEnd(state: PathState): Exit | undefined {
    const { fn, block } = state.frame;
    const region = this.options.usesRegions ? regionsOf(fn).candidates.get(block) : undefined;
    try {
      if (region && this.#isSymbolic(state)) {
        const exit = this.#enterRegion(state, region);
        if (exit) return exit;
      }
    } catch (ended) {
      if (!(ended instanceof Ended)) throw ended;
      return { key: "", state, end: ended.end };
    }
    const end = this.#executor.run(state, 1);
    return end && { key: "", state, end };
  }

  #isSymbolic(state: PathState): boolean {
    const { fn, block } = state.frame;
    const end = fn.blocks[block]?.end;
    const isOpen = (value: Value): boolean => isTerm(value) && !state.known.has(value.id);
    if (end?.kind === "branch") return isOpen(this.#executor.integer(state, 1, end.condition));
    return end?.kind === "switch" && isTerm(this.#executor.value(state, end.value.type, end.value.value));
  }

  /** Undefined: the region has no exact summary, and its branch is an ordinary one. */
  #enterRegion(state: PathState, region: Region): Exit | undefined {
    if ((this.#failures.get(region) ?? 0) >= MOST_FAILURES) return undefined;
    this.#checkDepth();
    const run = new RegionRun(this.#executor, region);
    this.#region = run;
    try {
      run.run(state.fork());
    } catch (problem) {
      if (!(problem instanceof Inexact)) throw problem;
      this.#inexact++;
      this.#failures.set(region, (this.#failures.get(region) ?? 0) + 1);
      return undefined;
    } finally {
      this.#region = undefined; // sound: test/engines/programs/llsplat.test.ts
    }
    this.#visits++;
    const known = new Map<number, bigint>();
    const taken = exitFor(run.exits, (literal) => this.#holds(literal, known));
    const isOnly = run.exits.length === 1;
    if (!isOnly || this.options.coversRegions)
      this.path.push({
        alternatives: run.exits.map((exit): Alternative => ({
          state: exit === taken && !this.#keepsTaken ? undefined : exit.state,
          end: exit.end,
          // An assumption that fails is no goal.
          status: exit === taken || exit.end?.kind === "dropped" ? "covered" : "open",
        })),
        taken: run.exits.indexOf(taken),
        goals: {
          fn: state.frame.fn.name,
          outcomes: [...run.outcomes.values()],
          requests: state.inputs.slice(),
        },
      });
    const next = this.#keepsTaken ? taken.state.fork() : taken.state;
    next.model = this.inputs.model;
    return { ...taken, state: next };
  }

  /** A run has ended: it is repeated with plain numbers, beyond the bound with random inputs. */
  #finish(state: PathState, end: PathEnd): void {
    const run = this.observe(valuesOf(state), state.steps, end.kind === "cut");
    this.findings.finish(state, end);
    if (end.kind === "cut") return;
    // sound: test/engines/programs/llsplat.test.ts
    if (run.end?.kind !== end.kind) {
      this.#divergences++;
      this.findings.note("unconfirmed", "a run left its predicted path");
    }
  }

  /** One run with plain numbers: its coverage, and its error if it shows one. */
  observe(values: readonly bigint[], steps: number, isOpen: boolean): ConcreteRun {
    this.#coverage.startRun();
    const run = runConcretely(
      this.#program,
      values,
      steps * 2 + (isOpen ? TAIL : 1000),
      false,
      {
        startRun: () => undefined,
        note: (each) => {
          this.#coverage.note(each);
          if (this.options.strategy === "cfg") this.distances.visit(each);
        },
      },
      isOpen ? (bits) => this.inputs.random(bits) : undefined,
    );
    if (run.end?.kind === "error" && isOpen)
      this.findings.report(
        run.inputs.flatMap((each) => each.values),
        run.end.error,
        steps + TAIL,
      );
    return run;
  }

  get covered(): number {
    return this.#coverage.size;
  }

  /** Runs aside for branch outcomes inside of regions that no run has shown yet; the search goes on as if there were none. */
  *#coverRegions(first: number): Generator<undefined> {
    const { model } = this.inputs;
    for (const { goals } of this.path.slice(first)) {
      if (!goals) continue;
      for (const outcome of goals.outcomes.splice(0)) {
        if (this.isStopped) return;
        this.#cover(goals.fn, outcome, goals.requests);
        this.inputs.model = model;
        yield;
      }
    }
  }

  #cover(fn: string, { from, to, conditions }: Outcome, requests: PathState["inputs"]): void {
    const key = `${fn} ${from} ${to}`;
    const attempts = this.#attempts.get(key) ?? 0;
    if (attempts >= MOST_ATTEMPTS || this.#coverage.isCovered(fn, from, to)) return;
    for (const condition of conditions) {
      if (this.#satisfy(condition) !== "sat") continue;
      this.#sideRuns++;
      // Other inputs are free: random ones cover more.
      this.inputs.randomise(
        requests.flatMap(({ variables }) => variables).filter(({ id }) => !this.#mentioned.has(id)),
      );
      this.observe(valuesOf({ inputs: requests, model: this.inputs.model }), TAIL, true);
      return;
    }
    this.#attempts.set(key, attempts + 1);
  }

  result(): Exploration {
    return {
      errors: [...this.findings.errors.values()],
      gaps: this.findings.gaps,
      paths: this.runs,
      instructions: this.#instructions,
      depth: this.#deepest,
      pending: this.isFinished ? 0 : 1,
      readsInput: this.#readsInput,
      figures: {
        runs: this.runs,
        sideRuns: this.#sideRuns,
        regions: this.#visits,
        inexactRegions: this.#inexact,
        divergences: this.#divergences,
      },
    };
  }
}

/** Instructions of a run beyond the bound on decisions. */
const TAIL = 20_000;
