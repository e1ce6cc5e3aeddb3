/** Converts a run of representatives to a run of the original model. */
import { Successors, type System, type Trace, type Words } from "../../model/index.js";

export interface Orbits {
  /** Replaces a state by its representative, in place: the same for all states of an orbit, different for different orbits. */
  canonicalise(words: Words): void;
  /** Are the faults of the same kind? A step whose fault names other elements then counts as the same step. */
  isSameKind(site: number, other: number): boolean;
}

/**
 * The run of the original model that a run of representatives stands for: each step takes the first choice that leads to a state with the
 * same representative, so that elements keep their names throughout.
 */
export function followRepresentatives(
  trace: Trace,
  searched: System,
  original: System,
  orbits: Orbits,
): Trace {
  const from = new Run(searched);
  const to = new Run(original);
  const choices = trace.choices.map((choice, step) => {
    from.expand();
    to.expand();
    const entries = Array.from({ length: to.out.count }, (_, entry) => entry);
    const find = (isSame: (a: number, b: number) => boolean): number =>
      entries.findIndex((entry) => isSameEntry(from, choice, to, entry, orbits, isSame));
    const exact = find((a, b) => a === b);
    const found = exact >= 0 ? exact : find((a, b) => orbits.isSameKind(a, b));
    if (found < 0) throw new Error(`step ${step} of the run of representatives is not in the original model`);
    from.take(choice);
    to.take(found);
    return found;
  });
  return { ...trace, choices };
}

function isSameEntry(
  from: Run,
  choice: number,
  to: Run,
  entry: number,
  { canonicalise }: Orbits,
  isSameFault: (a: number, b: number) => boolean,
): boolean {
  const [site, other] = [from.out.faultAt(choice), to.out.faultAt(entry)];
  if (from.out.isDead(choice) !== to.out.isDead(entry) || site < 0 !== other < 0) return false;
  if (site >= 0 && !isSameFault(site, other)) return false;
  if (to.out.isDead(entry)) return true;
  const [expected, found] = [from.entry(choice), to.entry(entry)];
  canonicalise(expected);
  canonicalise(found);
  return isSameState(expected, found, to.compareFrom);
}

/** A shorter state counts as extended by zeros. */
function isSameState(a: Words, b: Words, compareFrom: number): boolean {
  for (let i = compareFrom; i < Math.max(a.length, b.length); i++)
    if ((a[i] ?? 0) !== (b[i] ?? 0)) return false;
  return true;
}

/** One run of a system, step by step. */
export class Run {
  readonly out: Successors;
  readonly #system: System;
  #state: Words;

  constructor(system: System) {
    this.#system = system;
    this.out = new Successors(system.width);
    system.initial(this.out);
    this.#state = this.entry(0);
  }

  get compareFrom(): number {
    return this.#system.compareFrom;
  }

  get state(): Words {
    return this.#state;
  }

  expand(): void {
    this.out.clear();
    const { width } = this.#system;
    if (this.out.stride < width) this.out.widen(width);
    if (this.#state.length < width) this.#state = extended(this.#state, width);
    this.#system.successors(this.#state, 0, this.out);
  }

  /** After `expand`. */
  take(choice: number): void {
    if (!this.out.isDead(choice)) this.#state = this.entry(choice);
  }

  entry(choice: number): Words {
    return this.out.stateAt(choice);
  }
}

function extended(state: Words, width: number): Words {
  const wide = new Int32Array(width);
  wide.set(state);
  return wide;
}
