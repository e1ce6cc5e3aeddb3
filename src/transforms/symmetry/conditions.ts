/**
 * The conditions of symmetry, tested in single states on real successors.
 *
 * A state and the same state with other names have the same representative, and it is one of their orbit. They satisfy the same
 * properties; what can happen in one can happen in the other, up to names, and goes wrong in the same way. Nothing of the analysis that
 * found the scalarsets is asked.
 */
import {
  Entry,
  Successors,
  faultSite,
  type BrokenCondition,
  type Model,
  type Words,
} from "../../model/index.js";

export interface SymmetrySubject {
  /** The model without the reduction. */
  readonly original: Model;
  /** Conditions on states that are checked, by index. */
  readonly asked: readonly number[];
  /** The sizes of the scalarsets that are renamed. */
  readonly sizes: readonly number[];
  /** For each of these scalarsets, where each element goes. */
  renamed(state: Words, to: readonly (readonly number[])[]): Words;
  /** Puts the representative in the place of the state. */
  canonicalise(state: Words, at: number): void;
  /** Equivalent states have the same representative, not only fewer of them. */
  readonly isCanonical: boolean;
}

/** `state`: one that was searched, and not the root. */
export function testSymmetry(subject: SymmetrySubject, state: Words): BrokenCondition | undefined {
  const condition = new Test(subject).whyDifferent(state);
  if (condition === undefined) return undefined;
  const { steps } = subject.original;
  return { reduction: "symmetry", condition, shown: steps.snapshot(state, 0), processes: [] };
}

/** An orbit is looked through as long as there are no more ways to rename. */
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
    if (seen !== undefined) return `the state ${names} differs in '${original.invariants[seen]!.name}'`;
    if (original.system.status(state, 0) !== original.system.status(other, 0))
      return `the state ${names} is not as good an end`;
    if (this.#steps(state) !== this.#steps(other)) return `in the state ${names} not the same can happen`;
    return this.#whyForeign(state);
  }

  /** What can happen, up to names. */
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

  /** Of several errors of one kind another may be met first where elements have other names. */
  #faultOf(flags: number): string {
    const site = this.#subject.original.sites[faultSite(flags)];
    return site === undefined ? "" : site.fault === "assertion" ? "assertion" : "error";
  }

  /** Is the representative of a successor that successor, with other names? */
  #whyForeign(state: Words): string | undefined {
    const { sizes } = this.#subject;
    if (sizes.reduce((ways, size) => ways * factorial(size), 1) > MOST_WAYS) return undefined;
    const out = this.#expanded(state);
    const live = Array.from(out.flags.subarray(0, out.count).keys()).filter(
      (entry) => out.flags[entry] === 0,
    );
    if (live.length === 0) return undefined;
    const next = entryOf(out, live[hashOf(state) % live.length]!);
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

/** The numbers below `size` in an order that the seed decides. */
function shuffled(size: number, seed: number): number[] {
  const all = Array.from({ length: size }, (_, i) => i);
  let random = seed;
  for (let i = size - 1; i > 0; i--) {
    random = (Math.imul(random ^ (random >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const j = (random >>> 8) % (i + 1);
    [all[i], all[j]] = [all[j]!, all[i]!];
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
