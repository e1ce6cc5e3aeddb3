/**
 * Checks proofs by assumptions: the premises imply the property whatever the languages are, and each premise holds for its parts. Runs are
 * followed step by step on the vectors of the network, with sets of visited tuples: nothing is shared with the learner or its products.
 */
import {
  ERROR_NAME,
  TAU,
  errorStep,
  premiseText,
  stepNames,
  type Assumption,
  type AssumptionProof,
  type LtsNetwork,
  type NetworkPart,
  type Premise,
} from "../../model/index.js";
import { entryOf, nth } from "../../model/known.js";

export type AssumptionJudgement =
  | { readonly kind: "accepted"; readonly premises: number; readonly states: number }
  | { readonly kind: "rejected"; readonly why: string };

/** `watcher`: the part that watches for the property; undefined: no part may reach its error state. */
export function checkAssumptionProof(
  network: LtsNetwork,
  watcher: number | undefined,
  proof: AssumptionProof,
): AssumptionJudgement {
  const checker = new Checker(network, watcher, proof);
  const why = checker.malformed() ?? checker.unsoundRule() ?? checker.failedPremise();
  // sound: test/engines/learning/certificates.test.ts
  if (why !== undefined) return { kind: "rejected", why };
  return { kind: "accepted", premises: proof.premises.length, states: checker.states };
}

const MOST_STATES = 3_000_000;
/** The state of an automaton after a word outside of its language. */
const OUTSIDE = -1;

/** A language with a table of edges. */
interface Language {
  readonly start: number;
  /** Undefined: the step is no letter. */
  after(state: number, step: string): number | undefined;
}

class Checker {
  readonly #proof: AssumptionProof;
  readonly #network: LtsNetwork;
  readonly #watcher: number | undefined;
  readonly #names: readonly string[];
  states = 0;

  constructor(network: LtsNetwork, watcher: number | undefined, proof: AssumptionProof) {
    this.#proof = proof;
    this.#network = network;
    this.#watcher = watcher;
    this.#names = stepNames(network);
  }

  /** Names that do not exist, automata that are not deterministic. */
  malformed(): string | undefined {
    const { assumptions, premises } = this.#proof;
    const steps = new Set([...this.#names, ...this.#network.parts.map(({ name }) => errorStep(name))]);
    for (const { name, alphabet, states, edges } of assumptions) {
      if (assumptions.filter((each) => each.name === name).length > 1)
        return `there are two assumptions '${name}'`;
      if (new Set(alphabet).size !== alphabet.length) return `assumption '${name}' has a letter twice`;
      const foreign = alphabet.find((letter) => !steps.has(letter));
      if (foreign !== undefined) return `assumption '${name}': there is no step '${foreign}'`;
      const isInside = ([from, letter, to]: readonly [number, number, number]): boolean =>
        from < states && letter < alphabet.length && to < states;
      if (!edges.every(isInside)) return `assumption '${name}' has an edge to nowhere`;
      const keys = new Set(edges.map(([from, letter]) => `${from} ${letter}`));
      // sound: test/engines/learning/certificates.test.ts
      if (keys.size !== edges.length) return `assumption '${name}' is not deterministic`;
    }
    const isAssumption = (name: string): boolean => assumptions.some((each) => each.name === name);
    for (const { assumes, excludes, parts, guarantees } of premises) {
      const named = [...assumes, ...excludes, ...(guarantees === null ? [] : [guarantees])];
      const unknown = named.find((name) => !isAssumption(name));
      if (unknown !== undefined) return `there is no assumption '${unknown}'`;
      const stranger = parts.find((name) => !this.#partOf(name));
      if (stranger !== undefined) return `there is no part '${stranger}'`;
      if (new Set(parts).size !== parts.length) return "a premise has a part twice";
    }
    return undefined;
  }

  #partOf(name: string): NetworkPart | undefined {
    // Parts that watch are no components: they never constrain a run.
    // sound: test/engines/learning/certificates.test.ts
    return this.#network.parts.find((part) => part.name === name && !part.watches);
  }

  /**
   * Every premise is a clause about one run: it is not one of a part, or outside of an assumption, …, or inside the guarantee. The rule is
   * sound if no choice of memberships satisfies all clauses while the run is one of all parts and violates the property.
   */
  unsoundRule(): string | undefined {
    const { assumptions, premises } = this.#proof;
    const number = new Map(assumptions.map(({ name }, i) => [name, i + 1]));
    const clauses = premises.map(({ assumes, excludes, guarantees }) => [
      ...assumes.map((name) => -entryOf(number, name)),
      ...excludes.map((name) => entryOf(number, name)),
      ...(guarantees === null ? [] : [entryOf(number, guarantees)]),
    ]);
    // sound: test/engines/learning/certificates.test.ts
    return isSatisfiable(clauses) ? "the premises do not imply the property" : undefined;
  }

  failedPremise(): string | undefined {
    for (const premise of this.#proof.premises) {
      const why = this.#failing(premise);
      // sound: test/engines/learning/certificates.test.ts
      if (why !== undefined) return `${premiseText(premise, { name: this.#proof.property })}: ${why}`;
    }
    return undefined;
  }

  #language(name: string): Language {
    const found = this.#proof.assumptions.find((each) => each.name === name);
    if (!found) throw new Error(`no assumption ${name}`);
    return languageOf(found);
  }

  /** The runs that do not violate the property. */
  #property(): Language {
    if (this.#watcher === undefined) {
      const errors = new Set(this.#network.parts.map(({ name }) => errorStep(name)));
      return { start: 0, after: (_, step) => (errors.has(step) ? OUTSIDE : undefined) };
    }
    const watcher = this.#watcher;
    const { lts, watches } = nth(this.#network.parts, watcher);
    const violated = watches?.state;
    const labels = new Map(
      this.#names.map((name, v) => [name, nth(this.#network.vectors, v).labels[watcher]]),
    );
    return {
      start: nth(lts.initial, 0),
      after: (state, step) => {
        const label = labels.get(step);
        if (label === undefined) return undefined;
        if (state === OUTSIDE) return OUTSIDE;
        const [target] = targetsBy(lts, state, label);
        return target === undefined || target === violated ? OUTSIDE : target;
      },
    };
  }

  /** A run that refutes the premise, as a sentence. */
  #failing({ assumes, excludes, parts, guarantees }: Premise): string | undefined {
    const members = parts.map((name) => this.#network.parts.findIndex((part) => part.name === name));
    const assumed = assumes.map((name) => this.#language(name));
    const excluded = excludes.map((name) => this.#language(name));
    const guarantee = guarantees === null ? this.#property() : this.#language(guarantees);
    const languages = [...assumed, ...excluded, guarantee];
    const isRefuted = (tuple: readonly number[]): boolean =>
      tuple.slice(members.length + assumed.length).every((state) => state === OUTSIDE);
    const seen = new Set<string>();
    const waiting: (readonly number[])[] = [];
    const visit = (tuple: readonly number[]): void => {
      // Languages are prefix-closed: a run that has left an assumption never satisfies it again.
      // sound: test/engines/learning/certificates.test.ts
      if (tuple.slice(members.length, members.length + assumed.length).includes(OUTSIDE)) return;
      const key = tuple.join();
      if (seen.has(key)) return;
      seen.add(key);
      waiting.push(tuple);
    };
    for (const starts of combinations(members.map((part) => nth(this.#network.parts, part).lts.initial)))
      visit([...starts, ...languages.map(({ start }) => start)]);
    for (let tuple = waiting.pop(); tuple; tuple = waiting.pop()) {
      this.states = Math.max(this.states, seen.size);
      if (isRefuted(tuple)) return "some run refutes it";
      if (seen.size > MOST_STATES) return `it was not checked: more than ${MOST_STATES} states`;
      for (const next of this.#after(tuple, members, languages)) visit(next);
    }
    return undefined;
  }

  *#after(
    tuple: readonly number[],
    members: readonly number[],
    languages: readonly Language[],
  ): Generator<readonly number[]> {
    const read = (step: string): readonly number[] =>
      languages.map((language, i) => {
        const state = nth(tuple, members.length + i);
        return language.after(state, step) ?? state;
      });
    for (const [i, part] of members.entries()) {
      const { lts, name } = nth(this.#network.parts, part);
      const state = nth(tuple, i);
      if (state === lts.error) {
        if (this.#watcher === undefined) yield [...tuple.slice(0, members.length), ...read(errorStep(name))];
        continue;
      }
      for (let t = nth(lts.firsts, state); t < nth(lts.firsts, state + 1); t++)
        if (lts.actions[t] === TAU && this.#isKept(part, nth(lts.targets, t)))
          yield tuple.map((own, at) => (at === i ? nth(lts.targets, t) : own));
    }
    for (const [v, { label, labels }] of this.#network.vectors.entries()) {
      if (label === ERROR_NAME) continue;
      const step = nth(this.#names, v);
      const moves = members.map((part, i): readonly number[] => {
        const own = labels[part];
        if (own === undefined) return [nth(tuple, i)];
        const { lts } = nth(this.#network.parts, part);
        return targetsBy(lts, nth(tuple, i), own).filter((target) => this.#isKept(part, target));
      });
      const after = read(step);
      for (const targets of combinations(moves)) yield [...targets, ...after];
    }
  }

  /** A run with an error of a part is none that a property watches. */
  #isKept(part: number, target: number): boolean {
    return this.#watcher === undefined || target !== nth(this.#network.parts, part).lts.error;
  }
}

function languageOf({ alphabet, states, edges }: Assumption): Language {
  const letters = new Map(alphabet.map((name, letter) => [name, letter]));
  const table = new Map(edges.map(([from, letter, to]) => [`${from} ${letter}`, to]));
  return {
    start: states === 0 ? OUTSIDE : 0,
    after: (state, step) => {
      const letter = letters.get(step);
      if (letter === undefined) return undefined;
      return state === OUTSIDE ? OUTSIDE : (table.get(`${state} ${letter}`) ?? OUTSIDE);
    },
  };
}

function targetsBy(
  { labels, firsts, actions, targets }: NetworkPart["lts"],
  state: number,
  label: string,
): number[] {
  const found: number[] = [];
  for (let t = nth(firsts, state); t < nth(firsts, state + 1); t++)
    if (actions[t] !== TAU && labels[nth(actions, t)] === label) found.push(nth(targets, t));
  return found;
}

/** One element of each list. */
function combinations(lists: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return lists.reduce<readonly (readonly number[])[]>(
    (found, list) => found.flatMap((before) => list.map((each) => [...before, each])),
    [[]],
  );
}

/** By trying both values of a variable of the first clause. Literals are numbers of variables, negative if negated. */
function isSatisfiable(clauses: readonly (readonly number[])[]): boolean {
  if (clauses.some((clause) => clause.length === 0)) return false;
  const shortest = [...clauses].sort((a, b) => a.length - b.length)[0];
  if (!shortest) return true;
  const literal = nth(shortest, 0);
  const assuming = (chosen: number): boolean =>
    isSatisfiable(
      clauses
        .filter((clause) => !clause.includes(chosen))
        .map((clause) => clause.filter((each) => each !== -chosen)),
    );
  return assuming(literal) || (shortest.length > 1 && assuming(-literal));
}
