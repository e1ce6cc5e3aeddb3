/**
 * Expansion of a formula: for every letter a set of obligations, each a conjunction of formulas for the next state and a set of
 * promises, eventualities that are postponed (Couvreur, FM 1999).
 *
 * Treats all letters at once: an obligation has a set of letters. For every letter the obligations are an antichain: one with more
 * conjuncts and more promises than another is omitted.
 */
import { all, type LetterSet, type Letters, none } from "../../model/letters.js";
import { AutomatonTooLarge } from "./symbolic.js";
import type { Term } from "./formulas/terms.js";

export interface Obligation {
  readonly letters: LetterSet;
  /** A conjunction, as its members sorted by id. */
  readonly next: readonly Term[];
  /** Postponed eventualities, sorted by id. */
  readonly promises: readonly Term[];
  /** A digest of both: a weaker obligation has a subset of its bits. */
  readonly digest: number;
}

/** A conjunction, with its extensions by one member. */
interface Conjunction {
  readonly expansion: readonly Obligation[];
  readonly longer: Map<Term, Conjunction>;
}

export class Expansions {
  readonly #letters: Letters;
  readonly #most: number;
  readonly #known = new Map<Term, readonly Obligation[]>();
  readonly #conjunctions: Conjunction = { expansion: [nothing], longer: new Map() };

  /** `most` limits the obligations of one formula: comparisons are quadratic in their number. */
  constructor(letters: Letters, most: number) {
    this.#letters = letters;
    this.#most = most;
  }

  /** Expands a conjunction. Conjunctions with a common prefix share its expansion. */
  ofAll(terms: readonly Term[]): readonly Obligation[] {
    let at = this.#conjunctions;
    // sound: test/transforms/ltl/conditions.test.ts
    for (const term of terms) {
      let longer = at.longer.get(term);
      if (!longer) {
        longer = { expansion: this.#both(at.expansion, this.of(term)), longer: new Map() };
        at.longer.set(term, longer);
      }
      at = longer;
    }
    return at.expansion;
  }

  of(term: Term): readonly Obligation[] {
    let expansion = this.#known.get(term);
    if (!expansion) {
      expansion = this.#expand(term);
      this.#known.set(term, expansion);
    }
    return expansion;
  }

  #expand(term: Term): readonly Obligation[] {
    const [first, second] = term.children as [Term, Term];
    switch (term.kind) {
      case "true":
        return [nothing];
      case "false":
        return [];
      case "literal":
        return [{ ...nothing, letters: this.#letters.literal(term.proposition, term.isPositive) }];
      case "and":
        return this.ofAll(term.children);
      case "or":
        return this.#either(...term.children.map((child) => this.of(child)));
      case "next":
        return [later(conjuncts(first))];
      case "always":
        return this.#both(this.of(first), [later([term])]);
      case "eventually":
        return this.#either(this.of(first), [later([term], first)]);
      case "until":
        return this.#either(this.of(second), this.#both(this.of(first), [later([term], second)]));
      case "release":
        return this.#both(this.of(second), this.#either(this.of(first), [later([term])]));
    }
  }

  #either(...expansions: readonly (readonly Obligation[])[]): readonly Obligation[] {
    return this.#antichain(expansions.flat());
  }

  #both(left: readonly Obligation[], right: readonly Obligation[]): readonly Obligation[] {
    this.#refuse((left.length * right.length) / 100);
    return this.#antichain(
      left.flatMap((a) =>
        right.map((b) => ({
          letters: this.#letters.and(a.letters, b.letters),
          next: union(a.next, b.next),
          promises: union(a.promises, b.promises),
          digest: a.digest | b.digest,
        })),
      ),
    );
  }

  #antichain(obligations: readonly Obligation[]): readonly Obligation[] {
    const merged = new Map<string, Obligation>();
    // sound: test/transforms/ltl/conditions.test.ts
    for (const obligation of obligations) {
      const key = obligationKey(obligation);
      const other = merged.get(key);
      const letters = other ? this.#letters.or(other.letters, obligation.letters) : obligation.letters; // sound: test/transforms/ltl/conditions.test.ts
      merged.set(key, { ...obligation, letters });
    }
    const distinct = [...merged.values()].filter(({ letters }) => letters !== none);
    this.#refuse(distinct.length);
    return distinct
      .map((obligation) => ({ ...obligation, letters: this.#notAbsorbed(obligation, distinct) }))
      .filter(({ letters }) => letters !== none);
  }

  #refuse(count: number): void {
    if (count > this.#most)
      throw new AutomatonTooLarge(`a state of the automaton has more than ${this.#most} edges`);
  }

  #notAbsorbed(obligation: Obligation, others: readonly Obligation[]): LetterSet {
    let { letters } = obligation;
    // sound: test/transforms/ltl/conditions.test.ts
    for (const other of others)
      // sound: test/transforms/ltl/conditions.test.ts
      if (other !== obligation && asksNoMore(other, obligation))
        letters = this.#letters.minus(letters, other.letters);
    return letters;
  }
}

/** Equal for obligations that differ only in letters. */
export const obligationKey = ({ next, promises }: Obligation): string =>
  `${next.map(({ id }) => id).join(",")};${promises.map(({ id }) => id).join(",")}`;

export const conjuncts = (term: Term): readonly Term[] => {
  if (term.kind === "true") return [];
  return term.kind === "and" ? term.children : [term]; // sound: test/transforms/ltl/conditions.test.ts
};

const later = (next: readonly Term[], promise?: Term): Obligation => ({
  letters: all,
  next,
  promises: promise ? [promise] : [], // sound: test/transforms/ltl/conditions.test.ts
  digest:
    next.reduce((bits, { id }) => bits | (1 << (id & 31)), 0) | (promise ? 1 << ((promise.id * 7) & 31) : 0), // sound: test/transforms/ltl/conditions.test.ts
});

const nothing: Obligation = { letters: all, next: [], promises: [], digest: 0 };

const asksNoMore = (a: Obligation, b: Obligation): boolean =>
  (a.digest & ~b.digest) === 0 && isSubset(a.next, b.next) && isSubset(a.promises, b.promises); // sound: test/transforms/ltl/conditions.test.ts

const isSubset = (a: readonly Term[], b: readonly Term[]): boolean => a.every((term) => b.includes(term)); // sound: test/transforms/ltl/conditions.test.ts

function union(a: readonly Term[], b: readonly Term[]): readonly Term[] {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  return [...new Set([...a, ...b])].sort((x, y) => x.id - y.id);
}
