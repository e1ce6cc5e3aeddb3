/**
 * A formula of least depth that one state satisfies and another does not, by the rounds that separate them (Cleaveland 1990,
 * Korver 1991).
 *
 * A modality is chosen that the first state has after round k - 1 and the second has not. It begins without conditions, and
 * gets conditions only while the second state still satisfies it: each excludes one way in which the second state does.
 */
import { TAU, type Lts } from "../../model/index.js";
import { Evaluator } from "./evaluate.js";
import { conjunction, negation, type ActionFormula } from "./formula.js";
import { Levels } from "./levels.js";
import type { BasicEquivalence } from "./relations.js";

export class Distinguisher {
  readonly #lts: Lts;
  readonly #relation: BasicEquivalence;
  readonly #levels: Levels;
  readonly #evaluator: Evaluator;
  readonly #known = new Map<number, ActionFormula>();

  /** `lts`: a quotient by the relation, of which no two states are related. */
  constructor(lts: Lts, relation: BasicEquivalence) {
    this.#lts = lts;
    this.#relation = relation;
    this.#levels = new Levels(lts, relation);
    this.#evaluator = new Evaluator(lts);
  }

  /** Holds in `s` and in none of `others`. */
  fromAll(s: number, others: readonly number[]): ActionFormula {
    const nearest = others.toSorted((a, b) => this.#levels.separating(s, a) - this.#levels.separating(s, b));
    return this.#excluding(s, nearest, []);
  }

  /** Adds formulas that hold in `s` until none of `others` satisfies all. */
  #excluding(s: number, others: readonly number[], parts: readonly ActionFormula[]): ActionFormula {
    const all = conjunction(parts);
    const wrong = others.find((other) => this.#evaluator.holdsIn(all, other));
    return wrong === undefined ? all : this.#excluding(s, others, [...parts, this.between(s, wrong)]);
  }

  /** Holds in `s` and not in `t`. */
  between(s: number, t: number): ActionFormula {
    const key = s * this.#lts.states + t;
    const known = this.#known.get(key);
    if (known) return known;
    const round = this.#levels.separating(s, t);
    const formula = round === 0 ? this.#seen(s) : this.#fromRound(s, t, this.#levels.after(round - 1));
    if (!formula) throw new Error("a round separates states without a reason");
    this.#known.set(key, formula);
    return formula;
  }

  #seen(s: number): ActionFormula | undefined {
    const { observed } = this.#lts;
    return observed && { kind: "seen", text: observed.names[observed.numbers[s]] };
  }

  #fromRound(s: number, t: number, before: Int32Array): ActionFormula | undefined {
    const own = this.#modality(s, t, before);
    const theirs = own ? undefined : this.#modality(t, s, before);
    return own ?? (theirs && negation(theirs));
  }

  /** A modality of `s` that `t` lacks; undefined: `t` has all of them. */
  #modality(s: number, t: number, blocks: Int32Array): ActionFormula | undefined {
    const mine = this.#reachable(s, blocks);
    const theirs = this.#reachable(t, blocks);
    const lacking = mine.ends.filter(
      ({ action, to }) => !theirs.ends.some((end) => end.action === action && blocks[end.to] === blocks[to]),
    );
    const candidates = lacking.toSorted((a, b) => rivals(theirs, a.action) - rivals(theirs, b.action));
    if (candidates.length > 0) return this.#withConditions(s, t, candidates[0], theirs);
    return mine.diverges && !theirs.diverges ? this.#withConditions(s, t, undefined, theirs) : undefined;
  }

  /** `end` undefined: divergence. */
  #withConditions(s: number, t: number, end: End | undefined, theirs: Reachable): ActionFormula {
    const during: ActionFormula[] = [];
    const then: ActionFormula[] = [];
    for (;;) {
      const formula = this.#build(end, conjunction(during), conjunction(then));
      if (!this.#evaluator.holdsIn(formula, t)) return formula;
      const wrongEnd = end && this.#wrong(theirs.all.get(end.action) ?? [], then);
      if (end && wrongEnd !== undefined) {
        then.push(this.between(end.to, wrongEnd));
        continue;
      }
      const wrongWay = this.#wrong(theirs.exits, during);
      if (wrongWay === undefined) throw new Error("a modality cannot be told from its absence");
      during.push(this.between(s, wrongWay));
    }
  }

  #wrong(states: readonly number[], parts: readonly ActionFormula[]): number | undefined {
    const all = conjunction(parts);
    return states.find((state) => this.#evaluator.holdsIn(all, state));
  }

  #build(end: End | undefined, during: ActionFormula, then: ActionFormula): ActionFormula {
    if (!end) return { kind: "diverges", during };
    const label = this.#lts.labels[end.action];
    if (this.#relation === "strong" || this.#relation === "weak")
      return { kind: this.#relation, label, then };
    return { kind: "until", during, label, then };
  }

  /** What a state can do, as its relation sees it in a partition. */
  #reachable(s: number, blocks: Int32Array): Reachable {
    switch (this.#relation) {
      case "strong":
        return reachableAtOnce(this.#lts, s);
      case "weak":
        return reachableWeakly(this.#lts, s);
      case "branching":
      case "divergence-branching":
        return reachableInertly(this.#lts, s, blocks);
    }
  }
}

interface End {
  readonly action: number;
  readonly to: number;
}

interface Reachable {
  /** Transitions of the signature. */
  readonly ends: readonly End[];
  /** By label: all states in which a modality of that label may end. */
  readonly all: ReadonlyMap<number, readonly number[]>;
  /** Transitions by τ that leave the block. */
  readonly exits: readonly number[];
  readonly diverges: boolean;
}

const rivals = ({ all }: Reachable, action: number): number =>
  (all.get(action)?.length ?? 0) * 2 + (action === TAU ? 1 : 0);

const grouped = (ends: readonly End[]): Map<number, number[]> => {
  const groups = new Map<number, number[]>();
  for (const { action, to } of ends) groups.set(action, [...(groups.get(action) ?? []), to]);
  return groups;
};

function endsOf({ firsts, actions, targets }: Lts, s: number): End[] {
  const ends: End[] = [];
  for (let t = firsts[s]; t < firsts[s + 1]; t++) ends.push({ action: actions[t], to: targets[t] });
  return ends;
}

function reachableAtOnce(lts: Lts, s: number): Reachable {
  const ends = endsOf(lts, s);
  return { ends, all: grouped(ends), exits: [], diverges: false };
}

function tauClosure(lts: Lts, start: number, follows: (to: number) => boolean): Set<number> {
  const found = new Set([start]);
  for (const s of found)
    for (const { action, to } of endsOf(lts, s)) if (action === TAU && follows(to)) found.add(to);
  return found;
}

function reachableWeakly(lts: Lts, s: number): Reachable {
  const before = [...tauClosure(lts, s, () => true)];
  const visible = before.flatMap((u) =>
    endsOf(lts, u)
      .filter(({ action }) => action !== TAU)
      .flatMap(({ action, to }) => [...tauClosure(lts, to, () => true)].map((end) => ({ action, to: end }))),
  );
  const ends = [...before.map((to) => ({ action: TAU, to })), ...visible];
  return { ends, all: grouped(ends), exits: [], diverges: false };
}

function reachableInertly(lts: Lts, s: number, blocks: Int32Array): Reachable {
  const inside = [...tauClosure(lts, s, (to) => blocks[to] === blocks[s])];
  const all = inside.flatMap((u) => endsOf(lts, u));
  const ends = all.filter(({ action, to }) => action !== TAU || blocks[to] !== blocks[s]);
  const exits = ends.filter(({ action }) => action === TAU).map(({ to }) => to);
  // An until of τ may end where it begins.
  const groups = grouped(all);
  groups.set(TAU, [...inside, ...exits]);
  const diverges = inside.some((u) => endsOf(lts, u).some(({ action, to }) => action === TAU && to === u));
  return { ends, all: groups, exits, diverges };
}
