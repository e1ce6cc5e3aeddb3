/**
 * Tests the conditions of symmetry in single states, on real successors.
 *
 * A state and its permutation have the same representative, which is in their orbit. They satisfy the same properties, and have the
 * same successors and faults up to permutation. Independent of the analysis that found the scalarsets.
 */
import {
  Entry,
  Successors,
  faultSite,
  type BrokenCondition,
  type Model,
  type Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";

export interface SymmetrySubject {
  /** The model without the reduction. */
  readonly original: Model;
  /** Indices of the checked conditions on states. */
  readonly asked: readonly number[];
  /** Sizes of the permuted scalarsets. */
  readonly sizes: readonly number[];
  /** Permutes a state; `to` has the images of elements, by scalarset. */
  renamed(state: Words, to: readonly (readonly number[])[]): Words;
  /** Replaces the state by its representative. */
  canonicalise(state: Words, at: number): void;
  /** Equivalent states have the same representative; otherwise representatives are merely fewer than states. */
  readonly isCanonical: boolean;
}

/** `state`: visited by the search, and not the root. */
export function testSymmetry(subject: SymmetrySubject, state: Words): BrokenCondition | undefined {
  const condition = new Test(subject).whyDifferent(state);
  if (condition === undefined) return undefined;
  const { steps } = subject.original;
  return { reduction: "symmetry", condition, shown: steps.snapshot(state, 0), processes: [] };
}

/** Enumerates an orbit of at most this number of permutations. */
const MOST_WAYS = 120;

class Test {
  readonly #subject: SymmetrySubject;

  constructor(subject: SymmetrySubject) {
    this.#subject = subject;
  }

  whyDifferent(state: Words): string | undefined {
    const { original, asked, sizes, isCanonical } = this.#subject;
    const to = sizes.map((size, i) => shuffled(size, hashOf(state) + i));
    const other = this.#subject.renamed(state, to);
    const names = `with the names of elements exchanged (${to.map((one) => one.join(" ")).join("; ")})`;
    if (isCanonical && !isSame(this.#representative(state), this.#representative(other)))
      return `the state ${names} has another representative`;
    const seen = asked.find((index) => original.holds(index, state, 0) !== original.holds(index, other, 0));
    if (seen !== undefined) return `the state ${names} differs in '${nth(original.invariants, seen).name}'`;
    if (original.system.status(state, 0) !== original.system.status(other, 0))
      return `the state ${names} is not as good an end`;
    if (this.#steps(state) !== this.#steps(other)) return `in the state ${names} not the same can happen`;
    return this.#whyForeign(state);
  }

  /** Successors up to permutation. */
  #steps(state: Words): string {
    const out = this.#expanded(state);
    const looks = Array.from({ length: out.count }, (_, entry) => {
      const flags = out.flags[entry]!;
      const fault = this.#faultOf(flags);
      const isCompared = (flags & Entry.dead) === 0 && this.#subject.isCanonical;
      return isCompared ? `${fault} ${this.#representative(entryOf(out, entry)).join()}` : fault;
    });
    return [...new Set(looks)].sort().join(";");
  }

  /** Permutation may change which of several errors of one kind comes first. */
  #faultOf(flags: number): string {
    const site = this.#subject.original.sites[faultSite(flags)];
    return site === undefined ? "" : site.fault === "assertion" ? "assertion" : "error";
  }

  /** Is the representative of a successor a permutation of it? */
  #whyForeign(state: Words): string | undefined {
    const { sizes } = this.#subject;
    if (sizes.reduce((ways, size) => ways * factorial(size), 1) > MOST_WAYS) return undefined;
    const out = this.#expanded(state);
    const live = Array.from(out.flags.subarray(0, out.count).keys()).filter(
      (entry) => out.flags[entry] === 0,
    );
    if (live.length === 0) return undefined;
    const next = entryOf(out, nth(live, hashOf(state) % live.length));
    const representative = this.#representative(next);
    const isFound = allWays(sizes).some((to) => isSame(this.#subject.renamed(next, to), representative));
    return isFound ? undefined : "the representative of a successor is none of its orbit";
  }

  #expanded(state: Words): Successors {
    const { system } = this.#subject.original;
    const out = new Successors(system.width);
    system.successors(state, 0, out);
    return out;
  }

  #representative(state: Words): Words {
    const words = state.slice();
    this.#subject.canonicalise(words, 0);
    return words;
  }
}

const entryOf = ({ words, stride }: Successors, entry: number): Words =>
  words.slice(entry * stride, (entry + 1) * stride);

const isSame = (a: Words, b: Words): boolean => a.length === b.length && a.every((word, i) => word === b[i]);

const hashOf = (state: Words): number =>
  state.reduce((hash, word) => Math.imul(hash ^ word ^ (hash >>> 15), 0x2c1b3c6d) + 0x9e3779b9, 1) >>> 8;

/** A permutation of the numbers below `size`, by seed. */
function shuffled(size: number, seed: number): number[] {
  const all = Array.from({ length: size }, (_, i) => i);
  let random = seed;
  for (let i = size - 1; i > 0; i--) {
    random = (Math.imul(random ^ (random >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const j = (random >>> 8) % (i + 1);
    [all[i], all[j]] = [nth(all, j), nth(all, i)];
  }
  return all;
}

const allWays = (sizes: readonly number[]): readonly (readonly (readonly number[])[])[] =>
  sizes.reduce<readonly (readonly (readonly number[])[])[]>(
    (all, size) => all.flatMap((before) => permutations(size).map((one) => [...before, one])),
    [[]],
  );

const permutations = (size: number): number[][] =>
  size === 0
    ? [[]]
    : permutations(size - 1).flatMap((shorter) =>
        Array.from({ length: size }, (_, at) => [...shorter.slice(0, at), size - 1, ...shorter.slice(at)]),
      );

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
