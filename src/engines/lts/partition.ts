/**
 * The coarsest partition of the states of a system by a relation, in slices of work.
 *
 * Weak bisimilarity begins with the quotient by branching bisimilarity, which is finer: the saturated transitions of what is left
 * are computed again in each round and never stored.
 */
import { seenBy, type BasicEquivalence, type MinimisingEquivalence } from "./relations.js";
import { TAU, type Lts } from "../../model/index.js";
import { Refinement, type Graph } from "./refine.js";
import { collapseTau } from "./tau-components.js";
import { viewed } from "./view.js";
import { WeakRefinement } from "./weak.js";

export interface Partition {
  /** By state. */
  readonly blocks: Int32Array;
  readonly count: number;
  /** The smallest system with the same behaviour; state `b` is block `b`. */
  readonly quotient: Lts;
}

/** A computation in slices (`engines/explicit/drive.ts`). */
export interface Slices<T> {
  advance(quota: number): boolean;
  /** After the last slice. */
  result(): T;
  /** States that were handled, and bytes in use, so far. */
  readonly handled: number;
  readonly bytes: number;
}

export const partitioning = (lts: Lts, relation: MinimisingEquivalence): Slices<Partition> =>
  partitioningView(viewed(lts, relation), seenBy[relation].base);

/** Of a system as a relation sees it. */
export const partitioningView = (lts: Lts, base: BasicEquivalence): Slices<Partition> =>
  base === "weak" ? new WeakPartitioning(lts) : new Partitioning(lts, base);

class Partitioning implements Slices<Partition> {
  readonly #lts: Lts;
  readonly #graph: Graph;
  readonly #componentOf: Int32Array | undefined;
  readonly #isDivergent: Uint8Array | undefined;
  readonly #refinement: Refinement;

  constructor(lts: Lts, relation: Exclude<BasicEquivalence, "weak">) {
    this.#lts = lts;
    const isStrong = relation === "strong";
    const collapsed = isStrong ? undefined : collapseTau(lts);
    this.#graph = collapsed ?? lts;
    this.#componentOf = collapsed?.componentOf;
    // sound: test/engines/lts/relations.test.ts
    this.#isDivergent = relation === "divergence-branching" ? collapsed?.isDivergent : undefined;
    this.#refinement = new Refinement(this.#graph, {
      labels: lts.labels.length,
      hasInert: !isStrong,
      isDivergent: this.#isDivergent,
      classes: lts.observed && classesOf(lts.observed.numbers, collapsed),
    });
  }

  get handled(): number {
    return this.#refinement.signed;
  }

  get bytes(): number {
    const { firsts, actions, targets } = this.#lts;
    const input = firsts.byteLength + actions.byteLength + targets.byteLength;
    const { firsts: f, actions: a, targets: t } = this.#graph;
    const component = this.#componentOf;
    const own = component ? f.byteLength + a.byteLength + t.byteLength + component.byteLength + f.length : 0;
    return input + own + this.#refinement.bytes;
  }

  advance(quota: number): boolean {
    return this.#refinement.advance(quota);
  }

  result(): Partition {
    const { blocks: inner, blockCount } = this.#refinement;
    const component = this.#componentOf;
    const blocks = component ? component.map((c) => inner[c]) : inner;
    const quotient = quotientOf(this.#lts, this.#graph, inner, blocks, blockCount, this.#isDivergent);
    return { blocks, count: blockCount, quotient };
  }
}

/** τ never leaves an observation, so a component has one. */
function classesOf(
  numbers: Int32Array,
  collapsed: { readonly states: number; readonly componentOf: Int32Array } | undefined,
): Int32Array {
  if (!collapsed) return numbers;
  const classes = new Int32Array(collapsed.states);
  for (let s = 0; s < numbers.length; s++) classes[collapsed.componentOf[s]] = numbers[s];
  return classes;
}

/** The first member of a block has no inert τ, which would lead to a smaller number: its transitions are the block's. */
function quotientOf(
  lts: Lts,
  { states, firsts, actions, targets }: Graph,
  inner: Int32Array,
  blocks: Int32Array,
  count: number,
  isDivergent: Uint8Array | undefined,
): Lts {
  const representative = new Int32Array(count).fill(-1);
  for (let s = states - 1; s >= 0; s--) representative[inner[s]] = s;
  const quotient = new Edges(count, lts);
  for (let block = 0; block < count; block++) {
    const s = representative[block];
    for (let t = firsts[s]; t < firsts[s + 1]; t++) quotient.add(actions[t], inner[targets[t]]);
    if (isDivergent?.[s] === 1) quotient.add(TAU, block);
    quotient.endState();
  }
  return quotient.finish(blocks);
}

/** Transitions state by state, without duplicates. */
export class Edges {
  readonly #lts: Lts;
  readonly #firsts: Int32Array;
  #actions = new Int32Array(64);
  #targets = new Int32Array(64);
  #state = 0;
  #count = 0;
  readonly #seen = new Set<number>();

  constructor(states: number, lts: Lts) {
    this.#lts = lts;
    this.#firsts = new Int32Array(states + 1);
  }

  add(action: number, target: number): void {
    const key = target * this.#lts.labels.length + action;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (this.#count === this.#actions.length) {
      this.#actions = doubled(this.#actions);
      this.#targets = doubled(this.#targets);
    }
    this.#actions[this.#count] = action;
    this.#targets[this.#count++] = target;
  }

  endState(): void {
    this.#firsts[++this.#state] = this.#count;
    this.#seen.clear();
  }

  /** `blocks`: by state of the original system. */
  finish(blocks: Int32Array): Lts {
    const { initial, error, labels, observed } = this.#lts;
    const numbers = new Int32Array(observed ? this.#state : 0);
    observed?.numbers.forEach((number, s) => (numbers[blocks[s]] = number));
    return {
      ...(observed ? { observed: { ...observed, numbers } } : {}),
      states: this.#state,
      initial: [...new Set(initial.map((state) => blocks[state]))],
      error: error < 0 ? -1 : blocks[error],
      labels,
      firsts: this.#firsts,
      actions: this.#actions.slice(0, this.#count),
      targets: this.#targets.slice(0, this.#count),
    };
  }
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}

class WeakPartitioning implements Slices<Partition> {
  readonly #lts: Lts;
  readonly #branching: Partitioning;
  #first: Partition | undefined;
  #weak: WeakRefinement | undefined;

  constructor(lts: Lts) {
    this.#lts = lts;
    this.#branching = new Partitioning(lts, "branching");
  }

  get handled(): number {
    return this.#branching.handled + (this.#weak?.signed ?? 0);
  }

  get bytes(): number {
    return this.#branching.bytes + (this.#weak?.bytes ?? 0);
  }

  advance(quota: number): boolean {
    if (!this.#weak) {
      if (this.#branching.advance(quota)) return true;
      this.#first = this.#branching.result();
      this.#weak = new WeakRefinement(this.#first.quotient);
      return true;
    }
    return this.#weak.advance();
  }

  result(): Partition {
    const { quotient: smaller, blocks: inner } = this.#first as Partition;
    const weak = this.#weak as WeakRefinement;
    const blocks = inner.map((block) => weak.blocks[block]);
    return { blocks, count: weak.blockCount, quotient: weakQuotient(this.#lts, smaller, weak, blocks) };
  }
}

/**
 * The quotient without transitions that others imply: after an earlier τ, or before a later one. Weakly bisimilar states of a
 * cycle of τ are one block, so τ has no cycles here, and transitions are implied by ones that stay.
 */
function weakQuotient(lts: Lts, smaller: Lts, weak: WeakRefinement, blocks: Int32Array): Lts {
  const moves = Array.from({ length: weak.blockCount }, () => new Map<number, Set<number>>());
  for (let s = 0; s < smaller.states; s++)
    for (let t = smaller.firsts[s]; t < smaller.firsts[s + 1]; t++) {
      const from = weak.blocks[s];
      const to = weak.blocks[smaller.targets[t]];
      const action = smaller.actions[t];
      if (action === TAU && from === to) continue;
      const targets = moves[from].get(action) ?? new Set();
      moves[from].set(action, targets.add(to));
    }
  const none: ReadonlySet<number> = new Set();
  const after = (block: number, action: number): ReadonlySet<number> => moves[block].get(action) ?? none;
  const closures = new Map<number, ReadonlySet<number>>();
  /** Reached by one or more τ. */
  const beyond = (block: number): ReadonlySet<number> => {
    const known = closures.get(block);
    if (known) return known;
    const found = new Set<number>();
    const waiting = [...after(block, TAU)];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      waiting.push(...after(next, TAU));
    }
    closures.set(block, found);
    return found;
  };
  const isImplied = (from: number, action: number, to: number): boolean => {
    if (action === TAU) return [...after(from, TAU)].some((via) => via !== to && beyond(via).has(to));
    if ([...after(from, action)].some((via) => via !== to && beyond(via).has(to))) return true;
    return [...beyond(from)].some((via) =>
      [...after(via, action)].some((end) => end === to || beyond(end).has(to)),
    );
  };
  const quotient = new Edges(weak.blockCount, lts);
  for (let block = 0; block < weak.blockCount; block++) {
    for (const [action, targets] of moves[block])
      for (const to of targets) if (!isImplied(block, action, to)) quotient.add(action, to);
    quotient.endState();
  }
  return quotient.finish(blocks);
}
