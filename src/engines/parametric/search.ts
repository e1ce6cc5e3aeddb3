/**
 * Reachability of locations in a Boolean program: explicit locations, symbolic values.
 *
 * As in an explicit search, a queue holds states, but each denotes a set. A successor is dropped if it is empty or
 * covered by a state with the same locations. It is tested for the property before that: a covering state was reported
 * only if it was tested.
 */
import {
  isBadAt,
  moved,
  movableThreads,
  type BooleanMove,
  type BooleanProgram,
  type BooleanProperty,
  type BooleanState,
  type MakeSat,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { Analysis } from "./analysis.js";
import type { Instance } from "./coverage.js";
import { Formulas, type Lit } from "./formulas.js";
import { History, type Fixpoint } from "./history.js";
import { Questions } from "./questions.js";
import { after, initialState, simplified, type SymbolicState, type Taken } from "./symbolic.js";

export interface SearchOptions {
  readonly fixpoint: Fixpoint;
  readonly order: "bfs" | "dfs";
  /** Explore one thread alone where its next steps commute with everything else. */
  readonly reducesThreads: boolean;
  /** Compare live variables alone. */
  readonly dropsDead: boolean;
  /** Keep the data of a proof: excludes the reduction of threads. */
  readonly keepsProof: boolean;
  readonly maxStates: number;
  readonly makeSat: MakeSat;
}

export interface SearchFigures {
  readonly inserted: number;
  readonly covered: number;
  readonly empty: number;
  readonly transitions: number;
  readonly depth: number;
  readonly locationVectors: number;
  readonly satQuestions: number;
  readonly coverQuestions: number;
  readonly expansions: number;
  readonly conflicts: number;
  readonly nodes: number;
  readonly choices: number;
  /** States of which one thread was explored, and states that the cycle condition expanded fully. */
  readonly reduced: number;
  readonly fullForCycles: number;
}

/** A run: values of the first state, then the steps. */
export interface BooleanRun {
  readonly first: BooleanState;
  readonly moves: readonly BooleanMove[];
}

export type SearchAnswer =
  | { readonly kind: "reachable"; readonly run: BooleanRun }
  | { readonly kind: "unreachable"; readonly proof: SearchProof | undefined }
  | { readonly kind: "undecided"; readonly reason: "states" };

/** Evidence that the inserted states are closed. */
export interface SearchProof {
  readonly formulas: Formulas;
  readonly states: readonly SymbolicState[];
  readonly live: (at: readonly number[]) => readonly number[];
  /** Choices of initial values, in the order of the variables that have them. */
  readonly initialChoices: readonly number[];
  readonly steps: readonly ProofStep[];
}

export interface ProofStep {
  readonly from: number;
  readonly taken: Taken;
  /** Undefined: the step is not possible there. */
  readonly to: { readonly state: number; readonly instances: readonly Instance[] } | undefined;
}

interface Node {
  readonly number: number;
  readonly state: SymbolicState;
  readonly parent: Node | undefined;
  readonly taken: Taken | undefined;
  readonly depth: number;
}

export class ParametricSearch {
  readonly #program: BooleanProgram;
  readonly #property: BooleanProperty;
  readonly #options: SearchOptions;
  readonly #formulas = new Formulas();
  readonly #questions: Questions;
  readonly #analysis: Analysis;
  readonly #history: History;
  readonly #first: SymbolicState;
  readonly #nodes: Node[] = [];
  readonly #waiting: Node[] = [];
  readonly #steps: ProofStep[] = [];
  readonly #liveAt = new Map<string, readonly number[]>();
  #head = 0;
  #covered = 0;
  #empty = 0;
  #transitions = 0;
  #depth = 0;
  #reduced = 0;
  #fullForCycles = 0;

  constructor(program: BooleanProgram, property: BooleanProperty, options: SearchOptions) {
    this.#program = program;
    this.#property = property;
    this.#options = options;
    this.#questions = new Questions(this.#formulas, options.makeSat);
    this.#analysis = new Analysis(program);
    this.#history = new History(this.#formulas, this.#questions, (at) => this.#live(at), {
      fixpoint: options.keepsProof ? "qbf" : options.fixpoint,
      splits: !options.keepsProof,
    });
    this.#first = initialState(program, this.#formulas);
  }

  /** Inserted states, for tests: together they denote the reachable states. */
  get states(): readonly SymbolicState[] {
    return this.#nodes.map(({ state }) => state);
  }

  get formulas(): Formulas {
    return this.#formulas;
  }

  figures(): SearchFigures {
    const { figures } = this.#history.coverage;
    return {
      inserted: this.#nodes.length,
      covered: this.#covered,
      empty: this.#empty,
      transitions: this.#transitions,
      depth: this.#depth,
      locationVectors: this.#history.locationVectors,
      satQuestions: this.#questions.asked,
      coverQuestions: figures.questions,
      expansions: figures.expansions,
      conflicts: this.#questions.conflicts,
      nodes: this.#formulas.nodes,
      choices: this.#formulas.inputs,
      reduced: this.#reduced,
      fullForCycles: this.#fullForCycles,
    };
  }

  /** Yields after every expanded state. */
  *run(): Generator<undefined, SearchAnswer> {
    const first = this.#enter(this.#first, undefined, undefined);
    if (first === "bad") return this.#reachable(undefined, undefined);
    while (this.#head < this.#waiting.length) {
      if (this.#nodes.length > this.#options.maxStates) return { kind: "undecided", reason: "states" };
      const node = this.#take();
      const bad = this.#expand(node);
      if (bad) return this.#reachable(node, bad);
      yield undefined;
    }
    const { keepsProof } = this.#options;
    return {
      kind: "unreachable",
      proof: keepsProof
        ? {
            formulas: this.#formulas,
            states: this.states,
            live: (at) => this.#live(at),
            initialChoices: this.#first.values.filter((lit) => lit > 1).map((lit) => lit >> 1),
            steps: this.#steps,
          }
        : undefined,
    };
  }

  #take(): Node {
    if (this.#options.order === "bfs") return nth(this.#waiting, this.#head++);
    return this.#waiting.pop() as Node;
  }

  /** The step that reaches a bad location, if one does. */
  #expand(node: Node): Taken | undefined {
    const threads = movableThreads(this.#program, node.state.at);
    const alone = this.#alone(node.state, threads);
    if (alone !== undefined) this.#reduced++;
    // The thread that moved last comes first: of equally long runs, one with few switches is found.
    const last = node.taken?.thread ?? 0;
    const inOrder = threads.toSorted((a, b) => Number(b === last) - Number(a === last) || a - b);
    for (const thread of alone === undefined ? inOrder : [alone]) {
      const { steps } = nth(nth(this.#program.threads, thread).locations, nth(node.state.at, thread));
      for (const [number, step] of steps.entries()) {
        const { state, taken } = after(node.state, thread, number, step, this.#formulas);
        if (this.#enter(state, node, taken) === "bad") return taken;
      }
    }
    return undefined;
  }

  #enter(
    state: SymbolicState,
    parent: Node | undefined,
    taken: Taken | undefined,
  ): "bad" | "empty" | "covered" | "new" {
    if (taken) this.#transitions++;
    if (!this.#questions.isPossible(state.guards)) {
      this.#empty++;
      this.#prove(parent, taken, undefined);
      return "empty";
    }
    if (isBadAt(this.#property, state.at)) return "bad"; // sound: test/engines/parametric/traps.test.ts
    const live = new Set(this.#live(state.at));
    const small = simplified(state, (variable) => live.has(variable), this.#formulas);
    const covered = this.#history.covered(small);
    if (covered) {
      this.#covered++;
      this.#prove(parent, taken, { state: covered.by, instances: covered.instances });
      return "covered";
    }
    const depth = parent ? parent.depth + 1 : 0;
    const node: Node = { number: this.#nodes.length, state: small, parent, taken, depth };
    this.#depth = Math.max(this.#depth, depth);
    this.#nodes.push(node);
    this.#waiting.push(node);
    this.#history.insert(small, node.number);
    this.#prove(parent, taken, { state: node.number, instances: [new Map()] });
    return "new";
  }

  #prove(parent: Node | undefined, taken: Taken | undefined, to: ProofStep["to"]): void {
    if (this.#options.keepsProof && parent && taken) this.#steps.push({ from: parent.number, taken, to });
  }

  #live(at: readonly number[]): readonly number[] {
    if (!this.#options.dropsDead) return this.#program.variables.map((_, variable) => variable);
    const key = at.join(",");
    let live = this.#liveAt.get(key);
    if (!live) this.#liveAt.set(key, (live = [...this.#analysis.live(at)].sort((a, b) => a - b)));
    return live;
  }

  /** A thread that may be explored alone. */
  #alone(state: SymbolicState, threads: readonly number[]): number | undefined {
    const { reducesThreads, keepsProof } = this.#options;
    if (!reducesThreads || keepsProof || threads.length < 2) return undefined;
    const found = threads.filter(
      (thread) =>
        this.#analysis.isIndependent(thread, state.at) && !this.#isVisible(thread, nth(state.at, thread)),
    );
    // Steps of the others must not be postponed for ever. A condition on the states of a search would not do: some
    // states of a set go round a cycle while others leave it to new ones. Steps that close no cycle of their thread
    // cannot continue for ever.
    const postponing = found.filter((thread) => !this.#analysis.closesCycle(thread, nth(state.at, thread))); // sound: test/engines/parametric/traps.test.ts
    const alone = postponing.find((thread) => this.#isEnabledEverywhere(thread, state));
    if (alone === undefined && found.length > postponing.length) this.#fullForCycles++;
    return alone;
  }

  /** Its next steps enter an atomic section, which stops the others, or a location that a property names together with others. */
  #isVisible(thread: number, location: number): boolean {
    const { locations } = nth(this.#program.threads, thread);
    return nth(locations, location).steps.some(
      ({ to }) =>
        nth(locations, to).isAtomic || // sound: test/engines/parametric/traps.test.ts
        this.#property.bad.some(
          (places) =>
            places.length > 1 && // sound: test/engines/parametric/traps.test.ts
            places.some(
              (place) => place.thread === thread && (place.location === to || place.location === location),
            ),
        ),
    );
  }

  /**
   * Every state of the set must have a step of the thread: where it has none, the others are the only ones to move. Choices count as
   * made by an opponent, which is stricter than needed.
   */
  #isEnabledEverywhere(thread: number, state: SymbolicState): boolean {
    const { steps } = nth(nth(this.#program.threads, thread).locations, nth(state.at, thread));
    if (steps.length === 0) return false;
    const impossible = steps.map(
      (step, number): Lit => after(state, thread, number, step, this.#formulas).taken.constraint ^ 1,
    );
    return !this.#questions.isPossible([...state.guards, ...impossible]); // sound: test/engines/parametric/traps.test.ts
  }

  #reachable(last: Node | undefined, step: Taken | undefined): SearchAnswer {
    const path: Taken[] = step ? [step] : [];
    for (let node = last; node; node = node.parent) if (node.taken) path.unshift(node.taken);
    // Guards that were dropped on the way count again.
    const model = this.#questions.model(path.map(({ constraint }) => constraint));
    if (!model) throw new Error("the path to a bad location is not possible");
    const first = {
      at: this.#first.at,
      values: this.#formulas.evaluate(this.#first.values, model),
    };
    const moves = path.map(({ thread, step: number, fresh }): BooleanMove => ({
      thread,
      step: number,
      choices: fresh.map(model),
    }));
    checkRun(this.#program, this.#property, { first, moves });
    return { kind: "reachable", run: { first, moves } };
  }
}

/** Executes a run; throws if it does not end in a bad state. */
function checkRun(program: BooleanProgram, property: BooleanProperty, { first, moves }: BooleanRun): void {
  let state: BooleanState | undefined = first;
  for (const move of moves) state &&= moved(program, state, move);
  if (!state || !isBadAt(property, state.at)) throw new Error("the run of a violation does not replay");
}
