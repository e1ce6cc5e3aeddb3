/**
 * The product of a system and a property automaton: a system whose labels are acceptance marks, in which an infinite
 * run with every mark again and again is an execution that the automaton accepts.
 *
 * A state is that of the system with one word more, at `compareFrom`: the automaton's state. The automaton reads
 * the valuation of the state that a step leaves. Inside an atomic sequence it does not move; the word then
 * holds the complement of the edge taken at its beginning, so that two ways into the sequence stay apart.
 * A state without successors repeats itself (`stutters`), as finite executions do in LTL and in Spin.
 *
 * Weak fairness is one condition an agent, carried by its own steps and by all steps of a state in which it cannot
 * move: the state space does not grow. For strong fairness a step carries who moves, and the check is one
 * for Streett pairs: who can move again and again does move again and again.
 *
 * Always true: the marks of the automaton are the lowest bits, the bit of agent `i` follows them at `i`.
 */
import {
  Entry,
  MOST_CONDITIONS,
  Successors,
  type Automaton,
  type AutomatonEdge,
  type Candidates,
  type Fairness,
  type System,
  type Words,
} from "../model/index.js";

export interface ProductOptions {
  /** The propositions in a state of the system; negative: the complement of the fault it is to ask. */
  readonly valuation: (state: Words, at: number) => number;
  readonly fairness: Fairness;
  /** So many agents there are at most; undefined: unknown. Read with fairness only. */
  readonly agents: number | undefined;
  /** Off: an execution that ends is none. */
  readonly stutters?: boolean;
}

export interface Product extends System {
  readonly labels: "marks";
  /** Marks in all: those of the automaton, and those of fairness above them. */
  readonly conditions: number;
  /** Agents that have marks. */
  readonly fairAgents: number;
  /** An agent moved that has no marks: what was found about fairness is worth nothing. */
  readonly hasForeignAgent: boolean;
  /** The automaton's state in a nominal state of the product. */
  automatonState(state: Words, at: number): number;
  /** The system's part of a state, which may be wider than states of this system have become: threads search with systems of their own. */
  project(state: Words): Words;
}

/** With fairness the system must have agents as labels. */
export function product(system: System, automaton: Automaton, options: ProductOptions): Product {
  return new ProductSystem(system, automaton, options);
}

class ProductSystem implements Product {
  readonly labels = "marks";
  readonly compareFrom: number;
  readonly hasRoot: boolean;
  readonly conditions: number;
  readonly fairAgents: number;
  hasForeignAgent = false;
  readonly #system: System;
  readonly #automaton: Automaton;
  readonly #valuation: ProductOptions["valuation"];
  readonly #fairness: Fairness;
  readonly #stutters: boolean;
  readonly #agentMask: number;
  /** All edges in one list, and the number of the first of each state. */
  readonly #edges: readonly AutomatonEdge[];
  readonly #firstEdge: readonly number[];
  /** Those of the system: the automaton follows whoever moves. With fairness it matters who is put off. */
  readonly candidates?: Candidates;
  readonly #inner: Successors;
  /** Numbers of the edges that can be taken. */
  readonly #taken: number[] = [];
  #source: Words;

  constructor(system: System, automaton: Automaton, options: ProductOptions) {
    this.#system = system;
    this.#automaton = automaton;
    this.#valuation = options.valuation;
    this.#fairness = options.fairness;
    this.#stutters = options.stutters ?? true;
    const isFair = options.fairness !== "none";
    if (isFair && system.labels !== "agents") throw new Error("fairness needs a system that says who moves");
    const room = MOST_CONDITIONS - automaton.conditions;
    this.fairAgents = isFair ? Math.min(options.agents ?? Infinity, room) : 0;
    this.conditions = automaton.conditions + this.fairAgents;
    this.#agentMask = this.fairAgents === 0 ? 0 : 0x7fffffff >>> (31 - this.fairAgents);
    this.compareFrom = system.compareFrom;
    this.hasRoot = system.hasRoot ?? false;
    this.#edges = automaton.states.flat();
    let first = 0;
    this.#firstEdge = automaton.states.map((edges) => (first += edges.length) - edges.length);
    this.#inner = new Successors(system.width);
    this.#source = new Int32Array(system.width);
    const { candidates } = system;
    // sound: test/transforms/product.test.ts
    if (candidates && !isFair) this.candidates = this.#candidatesOf(candidates);
  }

  get width(): number {
    return this.#system.width + 1;
  }

  initial(out: Successors): void {
    const inner = this.#cleared();
    this.#system.initial(inner);
    for (let i = 0; i < inner.count; i++)
      this.#emit(out, inner, i, this.hasRoot ? AT_ROOT : this.#automaton.initial, 0);
  }

  successors(state: Words, at: number, out: Successors): void {
    const position = state[at + this.compareFrom]!;
    const source = this.#take(state, at);
    if (position === AT_ROOT) return this.#start(source, out);
    if (position < 0) return this.#inside(source, ~position, out);
    const live = this.#steps(source, position, out, (inner) => this.#system.successors(source, 0, inner));
    // sound: test/transforms/product.test.ts
    if (live === 0 && this.#stutters) this.#stutter(out, source);
    if (out.stride < this.width) out.widen(this.width);
  }

  #candidatesOf({ propose, successorsOf }: Candidates): Candidates {
    return {
      propose: (state, at, out) => {
        const position = state[at + this.compareFrom]!;
        return position < 0 || position === AT_ROOT ? 0 : propose(this.#take(state, at), 0, out);
      },
      successorsOf: (agent, state, at, out) => {
        const source = this.#take(state, at);
        this.#steps(source, state[at + this.compareFrom]!, out, (inner) =>
          successorsOf(agent, source, 0, inner),
        );
        if (out.stride < this.width) out.widen(this.width);
      },
    };
  }

  /** What `step` adds to the list it is given, together with the automaton; how many steps of the system that are. */
  #steps(source: Words, position: number, out: Successors, step: (inner: Successors) => void): number {
    const valuation = this.#valuation(source, 0);
    // sound: test/transforms/product.test.ts
    if (valuation < 0) {
      this.#fault(out, ~valuation);
      return FAILED;
    }
    this.#findEdges(position, valuation);
    // Without an edge nothing is emitted, whatever the system offers.
    if (this.#taken.length === 0) return FAILED;
    const inner = this.#cleared();
    step(inner);
    const enabled = this.#enabled(inner);
    let live = 0;
    for (let i = 0; i < inner.count; i++) {
      // sound: test/transforms/product.test.ts
      if ((inner.flags[i]! & Entry.dead) !== 0) continue;
      live++;
      const fair = this.#fairMarks(inner.labels[i]!, enabled);
      for (const edge of this.#taken) this.#emitEdge(out, inner, i, edge, fair);
    }
    return live;
  }

  status(state: Words, at: number): number {
    return this.#system.status(this.#take(state, at), 0);
  }

  automatonState(state: Words, at: number): number {
    return state[at + this.compareFrom]!;
  }

  project(state: Words): Words {
    const { compareFrom } = this;
    return state.filter((_, word) => word !== compareFrom); // sound: test/transforms/product.test.ts
  }

  /** The automaton begins where the system does: in the start states. */
  #start(root: Words, out: Successors): void {
    const inner = this.#cleared();
    this.#system.successors(root, 0, inner);
    for (let i = 0; i < inner.count; i++)
      if ((inner.flags[i]! & Entry.dead) === 0) this.#emit(out, inner, i, this.#automaton.initial, 0);
    if (out.stride < this.width) out.widen(this.width);
  }

  /** Steps inside an atomic sequence: the automaton waits. */
  #inside(source: Words, edge: number, out: Successors): void {
    const inner = this.#cleared();
    this.#system.successors(source, 0, inner);
    for (let i = 0; i < inner.count; i++) {
      if ((inner.flags[i]! & Entry.dead) !== 0) continue;
      const isIntermediate = (inner.flags[i]! & Entry.intermediate) !== 0;
      const moved = this.#fairMarks(inner.labels[i]!, ~0);
      this.#emit(out, inner, i, isIntermediate ? ~edge : this.#edges[edge]!.to, moved);
    }
  }

  #stutter(out: Successors, source: Words): void {
    const inner = this.#cleared();
    inner.words.fill(0, 0, inner.stride).set(source);
    inner.flags[0] = 0;
    inner.count = 1;
    for (const edge of this.#taken) this.#emitEdge(out, inner, 0, edge, this.#fairMarks(0, 0));
    inner.count = 0;
  }

  #findEdges(state: number, valuation: number): void {
    const edges = this.#automaton.states[state]!;
    const first = this.#firstEdge[state]!;
    this.#taken.length = 0;
    for (let e = 0; e < edges.length; e++)
      for (const { care, value } of edges[e]!.guard)
        // sound: test/transforms/product.test.ts
        if ((valuation & care) === value) {
          this.#taken.push(first + e);
          break;
        }
  }

  #enabled(inner: Successors): number {
    if (this.fairAgents === 0) return 0;
    let enabled = 0;
    for (let i = 0; i < inner.count; i++)
      if ((inner.flags[i]! & Entry.dead) === 0) enabled |= inner.labels[i]!;
    // sound: test/transforms/product.test.ts
    if ((enabled & ~this.#agentMask) !== 0) this.hasForeignAgent = true; // `FOREIGN_AGENT` is never in the mask
    return enabled;
  }

  /** The marks of a step by `agents` from a state in which `enabled` can move. */
  #fairMarks(agents: number, enabled: number): number {
    if (this.#fairness === "none") return 0;
    // sound: test/transforms/product.test.ts
    const carried = this.#fairness === "weak" ? agents | ~enabled : agents;
    return (carried & this.#agentMask) << this.#automaton.conditions;
  }

  #emitEdge(out: Successors, inner: Successors, entry: number, edge: number, fair: number): void {
    const { marks, to } = this.#edges[edge]!;
    const isIntermediate = (inner.flags[entry]! & Entry.intermediate) !== 0;
    // sound: test/transforms/product.test.ts
    this.#emit(out, inner, entry, isIntermediate ? ~edge : to, marks | fair);
  }

  #emit(out: Successors, inner: Successors, entry: number, position: number, label: number): void {
    const stride = inner.stride + 1;
    if (out.stride < stride) out.widen(stride);
    if (out.count === out.capacity) out.grow();
    const from = entry * inner.stride;
    const to = out.count * out.stride;
    const { compareFrom } = this;
    for (let k = 0; k < compareFrom; k++) out.words[to + k] = inner.words[from + k]!;
    out.words[to + compareFrom] = position;
    for (let k = compareFrom; k < inner.stride; k++) out.words[to + k + 1] = inner.words[from + k]!;
    for (let k = stride; k < out.stride; k++) out.words[to + k] = 0;
    const flags = inner.flags[entry]! & (Entry.dead | Entry.intermediate);
    out.labels[out.count] = label;
    out.flags[out.count++] = flags;
    if (flags !== 0) out.isFlagged = true;
  }

  #fault(out: Successors, site: number): void {
    if (out.stride < this.width) out.widen(this.width);
    out.addFault(site);
  }

  #take(state: Words, at: number): Words {
    const { width } = this.#system;
    if (this.#source.length !== width) this.#source = new Int32Array(width);
    const source = this.#source;
    const { compareFrom } = this;
    for (let k = 0; k < compareFrom; k++) source[k] = state[at + k]!;
    for (let k = compareFrom; k < width; k++) source[k] = state[at + k + 1]!;
    return source;
  }

  #cleared(): Successors {
    const inner = this.#inner;
    inner.clear();
    if (inner.stride < this.#system.width) inner.widen(this.#system.width);
    return inner;
  }
}

/** In place of the automaton's state, where the system has not begun. */
const AT_ROOT = 0x7fffffff;

/** Nothing can be said of the state, or the automaton ends: it does not even repeat itself. */
const FAILED = -1;
