/**
 * AG EF: checks that a state of some kind stays reachable from every reachable state.
 *
 * Explores the whole graph breadth-first, keeps its arcs, and walks back from the states of that kind. States that the
 * backward walk misses are stuck; the first of them in breadth-first order is nearest to the start.
 */
import { Arcs, type Budget, type Control, type Model, type Words } from "../../model/index.js";
import { drive } from "./drive.js";
import { InternedGraph } from "./emptiness/interned-graph.js";
import { EMPTY, Memory, OutOfRoom } from "./emptiness/memory.js";
import { Ledger } from "./ledger.js";
import type { Stop } from "./order.js";
import type { SearchStats } from "./search.js";

export interface AlwaysReachable {
  /** By goal: the states from the start to a nearest one from which the goal cannot be reached; undefined if there is none. */
  readonly paths: readonly (readonly Words[] | undefined)[];
  /** Undefined when the whole graph was seen; else `paths` says nothing. */
  readonly stop: Stop | undefined;
  readonly stats: SearchStats;
}

/** Goals are given by their index among the model's invariants. */
export async function alwaysReachable(
  model: Model,
  goals: readonly number[],
  budget: Budget,
  control: Control,
): Promise<AlwaysReachable> {
  const started = performance.now();
  const ledger = new Ledger(budget.memoryBytes);
  const walk = new GraphWalk(model, budget, ledger);
  const task = {
    advance: (quota: number) => walk.advance(quota),
    progress: (seconds: number) => walk.progress(seconds, ledger.bytes),
  };
  const stop = (await drive(task, budget, control, started)) ?? walk.stop;
  // sound: test/engines/explicit/stuck.test.ts
  const found = stop === undefined ? walk.stuckPaths(goals) : { paths: [], stop };
  const states = walk.states;
  return {
    paths: found.paths,
    stop: found.stop,
    stats: {
      states,
      transitions: walk.transitions,
      matched: walk.transitions - Math.max(0, states - 1),
      depth: walk.depth,
      peakFrontier: states,
      seconds: (performance.now() - started) / 1000,
      peakBytes: ledger.peakBytes,
      bytesPerState: states === 0 ? 0 : ledger.peakBytes / states,
    },
  };
}

class GraphWalk {
  stop: Stop | undefined;
  transitions = 0;
  readonly #model: Model;
  readonly #memory: Memory;
  readonly #maxDepth: number;
  readonly #graph: InternedGraph | undefined;
  readonly #arcs = new Arcs();
  /** Arcs of state `s` lead to `targets[firsts[s] … firsts[s + 1] - 1]`. */
  #targets: Int32Array = EMPTY;
  #firsts: Int32Array = EMPTY;
  #parents: Int32Array = EMPTY;
  #head = 0;
  #levelEnd = 1;
  #level = 0;

  constructor(model: Model, budget: Budget, ledger: Ledger) {
    this.#model = model;
    this.#memory = new Memory(ledger);
    this.#maxDepth = budget.maxDepth ?? Infinity;
    const options = { conditions: 0, labelMask: 0, maxStates: budget.maxStates ?? Infinity };
    this.#graph = this.#whileThereIsRoom(() => new InternedGraph(model.system, options, ledger));
  }

  get states(): number {
    return this.#graph?.count ?? 0;
  }

  get depth(): number {
    return this.#level;
  }

  advance(quota: number): boolean {
    return this.#whileThereIsRoom(() => this.#expandSome(quota)) ?? false;
  }

  progress(seconds: number, bytes: number) {
    const { states, transitions, depth } = this;
    return { states, transitions, depth, frontier: states - this.#head, bytes, seconds };
  }

  /** After the whole graph was seen. */
  stuckPaths(goals: readonly number[]): Pick<AlwaysReachable, "paths" | "stop"> {
    const paths = this.#whileThereIsRoom(() => {
      const reversed = this.#reversed();
      return goals.map((goal) => this.#pathTo(this.#firstStuck(goal, reversed)));
    });
    return { paths: paths ?? [], stop: this.stop };
  }

  #expandSome(quota: number): boolean {
    const graph = this.#graph!;
    for (let left = quota; left > 0; left--) {
      if (this.#head === graph.count) return false;
      if (this.#head === this.#levelEnd) {
        this.#levelEnd = graph.count;
        this.#level++;
      }
      // sound: test/engines/explicit/stuck.test.ts
      if (this.#level >= this.#maxDepth) {
        this.stop = "depth";
        return false;
      }
      this.#expand(graph, this.#head++);
    }
    return true;
  }

  #expand(graph: InternedGraph, state: number): void {
    const known = graph.count;
    graph.successors(state, this.#arcs);
    const { count, targets } = this.#arcs;
    this.#reserve(graph.count, this.transitions + count);
    for (let i = 0; i < count; i++) this.#targets[this.transitions++] = targets[i]!;
    for (let fresh = known; fresh < graph.count; fresh++) this.#parents[fresh] = state;
    this.#firsts[state + 1] = this.transitions;
  }

  #reserve(states: number, arcs: number): void {
    if (this.#targets.length < arcs) this.#targets = this.#memory.grown(this.#targets, arcs);
    if (this.#parents.length < states) this.#parents = this.#memory.grown(this.#parents, states);
    if (this.#firsts.length < states + 1) this.#firsts = this.#memory.grown(this.#firsts, states + 1);
  }

  #reversed(): Reversed {
    const { states } = this;
    const firsts = this.#memory.grown(EMPTY, states + 1);
    const sources = this.#memory.grown(EMPTY, this.transitions);
    for (let arc = 0; arc < this.transitions; arc++) firsts[this.#targets[arc]!]!++;
    for (let state = 0, sum = 0; state <= states; state++) {
      sum += firsts[state] ?? 0;
      firsts[state] = sum;
    }
    for (let state = 0; state < states; state++)
      for (let arc = this.#firsts[state]!; arc < this.#firsts[state + 1]!; arc++)
        sources[--firsts[this.#targets[arc]!]!] = state;
    return { firsts, sources };
  }

  /** The first state from which the goal cannot be reached, or -1. */
  #firstStuck(goal: number, reversed: Reversed): number {
    const graph = this.#graph!;
    const premise = this.#model.premise?.(goal);
    // sound: test/session/fsp.test.ts
    const applies = premise && this.#leadingTo((state) => premise(graph.words(state), 0), reversed);
    const isFine = this.#leadingTo(
      (state) => applies?.[state] === 0 || this.#model.holds(goal, graph.words(state), 0),
      reversed,
    );
    // sound: test/engines/explicit/stuck.test.ts
    return isFine.indexOf(0, this.#model.system.hasRoot ? 1 : 0);
  }

  /** By state: 1 if a state of that kind can be reached from it. */
  #leadingTo(isGoal: (state: number) => boolean, { firsts, sources }: Reversed): Uint8Array {
    const { states } = this;
    const isFine = new Uint8Array(states);
    const queue = this.#memory.grown(EMPTY, states);
    let end = 0;
    for (let state = 0; state < states; state++)
      if (isGoal(state)) {
        isFine[state] = 1;
        queue[end++] = state;
      }
    for (let head = 0; head < end; head++)
      for (let i = firsts[queue[head]!]!; i < firsts[queue[head]! + 1]!; i++) {
        const source = sources[i]!;
        if (isFine[source] === 1) continue;
        isFine[source] = 1;
        queue[end++] = source;
      }
    this.#memory.free(queue);
    return isFine;
  }

  #pathTo(state: number): readonly Words[] | undefined {
    if (state < 0) return undefined;
    const path: Words[] = [];
    for (let at = state; ; at = this.#parents[at]!) {
      path.push(this.#graph!.words(at));
      if (at === 0) return path.reverse();
    }
  }

  #whileThereIsRoom<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof OutOfRoom)) throw error;
      this.stop = error.stop;
      return undefined;
    }
  }
}

/** Arcs by target: those to `s` come from `sources[firsts[s] … firsts[s + 1] - 1]`. */
interface Reversed {
  readonly firsts: Int32Array;
  readonly sources: Int32Array;
}
