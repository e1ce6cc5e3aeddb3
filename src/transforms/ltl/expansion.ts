/**
 * What a formula asks of the next state: for every letter a set of obligations, each a conjunction of formulas
 * that must hold next and a set of promises, things put off that must happen in the end (Couvreur, FM 1999).
 *
 * All letters are treated at once: an obligation carries the letters for which it is one. For every single letter
 * the obligations are an antichain: one that asks for more than another, and promises more, is left out.
 */
import { all, type LetterSet, type Letters, none } from "./letters.js";
import type { Term } from "./terms.js";

export interface Obligation {
  readonly letters: LetterSet;
  /** A conjunction, as its members sorted by id. */
  readonly next: readonly Term[];
  /** What is put off, sorted by id. */
  readonly promises: readonly Term[];
}

export class Expansions {
  readonly #letters: Letters;
  readonly #known = new Map<Term, readonly Obligation[]>();

  constructor(letters: Letters) {
    this.#letters = letters;
  }

  /** Of a conjunction. */
  ofAll(terms: readonly Term[]): readonly Obligation[] {
    let result: readonly Obligation[] = [{ letters: all, next: [], promises: [] }];
    for (const term of terms) result = this.#both(result, this.of(term));
    return result;
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
        return [{ letters: all, next: [], promises: [] }];
      case "false":
        return [];
      case "literal":
        return [
          { letters: this.#letters.literal(term.proposition, term.isPositive), next: [], promises: [] },
        ];
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
    return this.#antichain(
      left.flatMap((a) =>
        right.map((b) => ({
          letters: this.#letters.and(a.letters, b.letters),
          next: union(a.next, b.next),
          promises: union(a.promises, b.promises),
        })),
      ),
    );
  }

  #antichain(obligations: readonly Obligation[]): readonly Obligation[] {
    const merged = new Map<string, Obligation>();
    for (const obligation of obligations) {
      const key = obligationKey(obligation);
      const other = merged.get(key);
      const letters = other ? this.#letters.or(other.letters, obligation.letters) : obligation.letters;
      merged.set(key, { ...obligation, letters });
    }
    const distinct = [...merged.values()];
    return distinct
      .map((obligation) => ({ ...obligation, letters: this.#notAbsorbed(obligation, distinct) }))
      .filter(({ letters }) => letters !== none);
  }

  #notAbsorbed(obligation: Obligation, others: readonly Obligation[]): LetterSet {
    let { letters } = obligation;
    for (const other of others)
      if (other !== obligation && asksNoMore(other, obligation))
        letters = this.#letters.minus(letters, other.letters);
    return letters;
  }
}

/** Equal for obligations that ask for the same, letters aside. */
export const obligationKey = ({ next, promises }: Obligation): string =>
  `${next.map(({ id }) => id).join(",")};${promises.map(({ id }) => id).join(",")}`;

export const conjuncts = (term: Term): readonly Term[] => {
  if (term.kind === "true") return [];
  return term.kind === "and" ? term.children : [term];
};

const later = (next: readonly Term[], promise?: Term): Obligation => ({
  letters: all,
  next,
  promises: promise ? [promise] : [],
});

const asksNoMore = (a: Obligation, b: Obligation): boolean =>
  isSubset(a.next, b.next) && isSubset(a.promises, b.promises);

const isSubset = (a: readonly Term[], b: readonly Term[]): boolean =>
  a.length <= b.length && a.every((term) => b.includes(term));

function union(a: readonly Term[], b: readonly Term[]): readonly Term[] {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  return [...new Set([...a, ...b])].sort((x, y) => x.id - y.id);
}
