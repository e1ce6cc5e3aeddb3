/**
 * The labelled transition system of a system: explores it once, breadth-first, and keeps every transition with the number of its
 * action. States inside atomic sequences are states like others here: their steps have labels.
 *
 * A fault leads to the error state. A state without transitions that is a valid end gets a transition `√` to itself.
 */
import {
  Arcs,
  END_NAME,
  ERROR_NAME,
  Entry,
  LabelNumbers,
  Status,
  TAU,
  faultSite,
  type Budget,
  type Control,
  type Lts,
  type Span,
  type Successors,
  type System,
  type Words,
} from "../../model/index.js";
import { drive } from "./drive.js";
import { InternedGraph } from "./emptiness/interned-graph.js";
import { EMPTY, Memory, OutOfRoom } from "./emptiness/memory.js";
import { Ledger } from "./ledger.js";
import type { Stop } from "./order.js";

/** A system whose steps have numbered actions. */
export interface ActionSource {
  readonly system: System;
  /** The action of the successor at position `choice`; `written` is the system's own label of it. */
  actionOf(state: Words, choice: number, written: number): number;
  /** The label of an action; undefined is τ. Asked once for each action. */
  labelOf(action: number): string | undefined;
  sourcesOf(action: number): readonly Span[];
  /** As in `Actions`. */
  readonly observe?: ((state: Words, at: number) => string) | undefined;
  readonly isInteraction?: ((name: string) => boolean) | undefined;
}

export interface ExploredLts {
  /** Undefined if the exploration did not end. */
  readonly lts: Lts | undefined;
  readonly stop: Stop | undefined;
  readonly states: number;
  readonly transitions: number;
  readonly seconds: number;
  readonly peakBytes: number;
}

export async function exploreLts(
  source: ActionSource,
  budget: Budget,
  control: Control,
): Promise<ExploredLts> {
  const started = performance.now();
  const ledger = new Ledger(budget.memoryBytes);
  const walk = new LabelledWalk(source, budget, ledger);
  const task = {
    advance: (quota: number) => walk.advance(quota),
    progress: (seconds: number) => walk.progress(seconds, ledger.bytes),
  };
  // sound: test/session/lts.test.ts
  const stop = (await drive(task, budget, control, started)) ?? walk.stop;
  const lts = stop === undefined ? walk.lts() : undefined;
  return {
    lts,
    stop: stop ?? walk.stop,
    states: lts?.states ?? walk.states,
    transitions: lts?.targets.length ?? walk.transitions,
    seconds: (performance.now() - started) / 1000,
    peakBytes: ledger.peakBytes,
  };
}

/** Actions beyond those of the source. */
const FAIL = -1;
const END = -2;

class LabelledWalk {
  stop: Stop | undefined;
  transitions = 0;
  readonly #source: ActionSource;
  readonly #memory: Memory;
  readonly #maxDepth: number;
  readonly #graph: InternedGraph | undefined;
  readonly #arcs = new Arcs();
  /** Actions of the failing steps of the current state. */
  readonly #failing: number[] = [];
  /** `FAIL` is the error state, whose number is known at the end. */
  #targets: Int32Array = EMPTY;
  #actions: Int32Array = EMPTY;
  #firsts: Int32Array = EMPTY;
  #head = 0;
  #levelEnd = 1;
  #level = 0;

  constructor(source: ActionSource, budget: Budget, ledger: Ledger) {
    this.#source = source;
    this.#memory = new Memory(ledger);
    this.#maxDepth = budget.maxDepth ?? Infinity;
    const root = source.system.hasRoot ? 1 : 0;
    const options = { conditions: 1, labelMask: -1, maxStates: (budget.maxStates ?? Infinity) + root };
    this.#graph = this.#whileThereIsRoom(() => new InternedGraph(this.#plain(source), options, ledger));
  }

  get states(): number {
    return this.#graph?.count ?? 0;
  }

  advance(quota: number): boolean {
    return this.#whileThereIsRoom(() => this.#expandSome(quota)) ?? false;
  }

  progress(seconds: number, bytes: number) {
    const { states, transitions } = this;
    return { states, transitions, depth: this.#level, frontier: states - this.#head, bytes, seconds };
  }

  /** The source without flags: steps that fail are noted, and every state counts. */
  #plain({ system, actionOf }: ActionSource): System {
    return {
      get width() {
        return system.width;
      },
      compareFrom: system.compareFrom,
      labels: "actions",
      initial: (out) => system.initial(out),
      status: (state, at) => system.status(state, at),
      successors: (state, at, out) => {
        const own = state.slice(at, at + system.width);
        system.successors(own, 0, out);
        const padded = own.length === system.width ? own : extended(own, system.width);
        this.#unflag(padded, out, actionOf);
      },
    };
  }

  #unflag(state: Words, out: Successors, actionOf: ActionSource["actionOf"]): void {
    let kept = 0;
    for (let i = 0; i < out.count; i++) {
      const flags = out.flags[i];
      const isDiscarded = flags === Entry.dead; // by an assumption of the model, without a fault
      const action = isDiscarded ? TAU : actionOf(state, i, out.labels[i]);
      // sound: test/session/lts.test.ts
      if (faultSite(flags) >= 0) this.#failing.push(action);
      out.flags[i] = 0;
      if ((flags & Entry.dead) !== 0) continue;
      if (kept !== i) out.words.copyWithin(kept * out.stride, i * out.stride, (i + 1) * out.stride);
      out.labels[kept++] = action;
    }
    out.count = kept;
    out.isFlagged = false;
  }

  #expandSome(quota: number): boolean {
    const graph = this.#graph;
    if (!graph) return false;
    for (let left = quota; left > 0; left--) {
      if (this.#head === graph.count) return false;
      if (this.#head === this.#levelEnd) {
        this.#levelEnd = graph.count;
        this.#level++;
      }
      // sound: test/session/lts.test.ts
      if (this.#level >= this.#maxDepth) {
        this.stop = "depth";
        return false;
      }
      this.#expand(graph, this.#head++);
    }
    return true;
  }

  #expand(graph: InternedGraph, state: number): void {
    const { system } = this.#source;
    const arcs = this.#arcs;
    this.#failing.length = 0;
    graph.successors(state, arcs);
    this.#reserve(state, arcs.count + this.#failing.length + 1);
    for (let i = 0; i < arcs.count; i++) this.#add(arcs.marks[i], arcs.targets[i]);
    for (const action of this.#failing) this.#add(action, FAIL);
    const isStuck = arcs.count + this.#failing.length === 0;
    // sound: test/session/lts.test.ts
    if (isStuck && (system.status(graph.words(state), 0) & Status.validEnd) !== 0) this.#add(END, state);
    this.#firsts[state + 1] = this.transitions;
  }

  #add(action: number, target: number): void {
    this.#actions[this.transitions] = action;
    this.#targets[this.transitions++] = target;
  }

  #reserve(state: number, more: number): void {
    const arcs = this.transitions + more;
    if (this.#targets.length < arcs) {
      this.#targets = this.#memory.grown(this.#targets, arcs);
      this.#actions = this.#memory.grown(this.#actions, arcs);
    }
    if (this.#firsts.length < state + 2) this.#firsts = this.#memory.grown(this.#firsts, state + 2);
  }

  /** After the whole graph was seen. Without a root its states are numbered from 0, with it the root is omitted. */
  lts(): Lts {
    const { system } = this.#source;
    const skipped = system.hasRoot ? 1 : 0;
    const begin = skipped === 1 && this.states > 0 ? this.#firsts[1] : 0;
    const reached = Math.max(0, this.states - skipped);
    const isFailing = this.#targets.subarray(0, this.transitions).includes(FAIL) || this.states === 0;
    const error = isFailing ? reached : -1;
    const states = reached + (isFailing ? 1 : 0);
    const count = this.transitions - begin + (isFailing ? 1 : 0);
    const naming = new Naming(this.#source);
    const firsts = new Int32Array(states + 1);
    const actions = new Int32Array(count);
    const targets = new Int32Array(count);
    const numbers = new Int32Array(count).fill(FAIL);
    for (let s = 0; s < reached; s++) firsts[s + 1] = this.#firsts[s + skipped + 1] - begin;
    for (let t = begin; t < this.transitions; t++) {
      const action = (numbers[t - begin] = this.#actions[t]);
      actions[t - begin] = naming.numberOf(action);
      targets[t - begin] = this.#targets[t] === FAIL ? error : this.#targets[t] - skipped;
    }
    if (isFailing) {
      firsts[states] = count;
      actions[count - 1] = naming.labels.of(ERROR_NAME);
      targets[count - 1] = error;
    }
    const observed = this.#observed(reached, skipped, states);
    const starts = this.#targets.subarray(0, begin);
    const initial = [...new Set(starts)].map((s) => (s === FAIL ? error : s - skipped));
    return {
      states,
      initial: skipped === 1 ? initial : [0],
      error,
      labels: naming.labels.names,
      firsts,
      actions,
      targets,
      origins: { numbers, spansOf: (action) => (action < 0 ? [] : this.#source.sourcesOf(action)) },
      ...(observed ? { observed } : {}),
    };
  }

  /** The error state, if there is one, is the last. */
  #observed(reached: number, skipped: number, states: number): Lts["observed"] {
    const { observe, isInteraction = () => false } = this.#source;
    const graph = this.#graph;
    if (!observe || !graph) return undefined;
    const known = new Map<string, number>();
    const numbers = new Int32Array(states);
    for (let s = 0; s < states; s++) {
      const name = s < reached ? observe(graph.words(s + skipped), 0) : ERROR_NAME;
      const number = known.get(name) ?? known.size;
      known.set(name, number);
      numbers[s] = number;
    }
    return { numbers, names: [...known.keys()], isInteraction };
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

/** Names each action when it is first found. */
class Naming {
  readonly labels = new LabelNumbers();
  readonly #source: ActionSource;
  readonly #numbers: number[] = [];

  constructor(source: ActionSource) {
    this.#source = source;
  }

  numberOf(action: number): number {
    if (action === END) return this.labels.of(END_NAME);
    const known = this.#numbers[action];
    if (known !== undefined) return known;
    const label = this.#source.labelOf(action);
    const number = label === undefined ? TAU : this.labels.of(label);
    this.#numbers[action] = number;
    return number;
  }
}

function extended(words: Words, width: number): Words {
  const longer = new Int32Array(width);
  longer.set(words);
  return longer;
}
