/** From a run of representatives to a run of the original model. */
import { Entry, Successors, faultSite, type System, type Trace, type Words } from "../../model/index.js";

export interface Orbits {
  /** Puts the representative in the place of the state: the same for all states of an orbit, and for no other. */
  canonicalise(words: Words): void;
  /** May a fault stand for another where elements have other names? */
  isSameKind(site: number, other: number): boolean;
}

/**
 * The run of the original model that a run of representatives stands for: at each step the original takes the first choice that leads to
 * a state with the same representative, so that an element keeps its name throughout.
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
  const [wanted, flags] = [from.out.flags[choice]!, to.out.flags[entry]!];
  const [site, other] = [faultSite(wanted), faultSite(flags)];
  if ((wanted & Entry.dead) !== (flags & Entry.dead) || site < 0 !== other < 0) return false;
  if (site >= 0 && !isSameFault(site, other)) return false;
  if ((flags & Entry.dead) !== 0) return true;
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
    if ((this.out.flags[choice]! & Entry.dead) === 0) this.#state = this.entry(choice);
  }

  entry(choice: number): Words {
    const { words, stride } = this.out;
    return words.slice(choice * stride, (choice + 1) * stride);
  }
}

function extended(state: Words, width: number): Words {
  const wide = new Int32Array(width);
  wide.set(state);
  return wide;
}
