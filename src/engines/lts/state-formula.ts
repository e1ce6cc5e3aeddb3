/**
 * Formulas about states, evaluated in all states of a system at once. CTL operators take time linear in the system; explicit fixpoints are
 * iterated. `explain` follows a path that shows why a formula is true or false, as far as a path can.
 */
import { contains, type ActionSet, type Lts, type StateFormula } from "../../model/index.js";

/** A path from a state, by transitions. `loopStart`: its end is that of an earlier step. */
export interface FormulaPath {
  readonly transitions: readonly number[];
  readonly loopStart: number | undefined;
}

type Until = Extract<StateFormula, { kind: "exists-until" | "all-until" }>;

export class StateFormulas {
  readonly #lts: Lts;
  readonly #sources: Int32Array;
  readonly #intoFirsts: Int32Array;
  readonly #into: Int32Array;
  readonly #known = new Map<StateFormula, Uint8Array>();
  readonly #members = new Map<ActionSet, Uint8Array>();

  constructor(lts: Lts) {
    this.#lts = lts;
    const { states, firsts, targets } = lts;
    this.#sources = new Int32Array(targets.length);
    this.#intoFirsts = new Int32Array(states + 1);
    this.#into = new Int32Array(targets.length);
    for (let s = 0; s < states; s++) this.#sources.fill(s, firsts[s], firsts[s + 1]);
    for (const to of targets) this.#intoFirsts[to + 1]++;
    for (let s = 0; s < states; s++) this.#intoFirsts[s + 1] += this.#intoFirsts[s];
    const next = this.#intoFirsts.slice();
    for (let t = 0; t < targets.length; t++) this.#into[next[targets[t]]++] = t;
  }

  /** By state: 1 where a formula without free variables holds. */
  holds(formula: StateFormula): Uint8Array {
    const known = this.#known.get(formula);
    if (known) return known;
    const found = this.#evaluate(formula, new Map());
    this.#known.set(formula, found);
    return found;
  }

  #evaluate(f: StateFormula, values: ReadonlyMap<string, Uint8Array>): Uint8Array {
    const of = (inner: StateFormula): Uint8Array => this.#evaluate(inner, values);
    const { states, firsts } = this.#lts;
    switch (f.kind) {
      case "true":
        return new Uint8Array(states).fill(1);
      case "false":
        return new Uint8Array(states);
      case "deadlock":
        return new Uint8Array(states).map((_, s) => (firsts[s] === firsts[s + 1] ? 1 : 0));
      case "variable": {
        const value = values.get(f.name);
        if (!value) throw new Error(`variable '${f.name}' is not bound`);
        return value;
      }
      case "not":
        return of(f.of).map((is) => 1 - is);
      case "and": {
        const right = of(f.right);
        return of(f.left).map((is, s) => is & right[s]);
      }
      case "or": {
        const right = of(f.right);
        return of(f.left).map((is, s) => is | right[s]);
      }
      case "diamond":
        return this.#before(f.by, of(f.of));
      case "box":
        return this.#before(
          f.by,
          of(f.of).map((is) => 1 - is),
        ).map((is) => 1 - is);
      case "exists-until":
        return this.#existsUntil(of(f.during), f.by, of(f.then));
      case "all-until":
        return this.#allUntil(of(f.during), f.by, of(f.then));
      case "exists-always":
        return this.#existsAlways(f.by, of(f.of));
      case "least":
      case "greatest":
        return this.#fixpoint(f, values);
    }
  }

  #fixpoint(
    { kind, name, of }: Extract<StateFormula, { kind: "least" | "greatest" }>,
    values: ReadonlyMap<string, Uint8Array>,
  ): Uint8Array {
    let value = new Uint8Array(this.#lts.states).fill(kind === "least" ? 0 : 1);
    for (;;) {
      const next = this.#evaluate(of, new Map([...values, [name, value]]));
      if (next.every((is, s) => is === value[s])) return next;
      value = Uint8Array.from(next);
    }
  }

  /** By label: is it in the set? */
  #membership(set: ActionSet): Uint8Array {
    const known = this.#members.get(set);
    if (known) return known;
    const found = Uint8Array.from(this.#lts.labels, (label) => (contains(set, label) ? 1 : 0));
    this.#members.set(set, found);
    return found;
  }

  #before(by: ActionSet, set: Uint8Array): Uint8Array {
    const { actions, targets } = this.#lts;
    const isOf = this.#membership(by);
    const found = new Uint8Array(set.length);
    for (let t = 0; t < targets.length; t++)
      if (isOf[actions[t]] === 1 && set[targets[t]] === 1) found[this.#sources[t]] = 1;
    return found;
  }

  #existsUntil(during: Uint8Array, by: ActionSet, then: Uint8Array): Uint8Array {
    const isOf = this.#membership(by);
    const found = Uint8Array.from(then);
    const waiting: number[] = [];
    for (let s = 0; s < found.length; s++) if (found[s] === 1) waiting.push(s);
    for (let s = waiting.pop(); s !== undefined; s = waiting.pop())
      for (let i = this.#intoFirsts[s]; i < this.#intoFirsts[s + 1]; i++) {
        const from = this.#sources[this.#into[i]];
        if (found[from] === 1 || during[from] === 0 || isOf[this.#lts.actions[this.#into[i]]] === 0) continue;
        found[from] = 1;
        waiting.push(from);
      }
    return found;
  }

  /** A state joins when all of its transitions lead into the set, and it has some. */
  #allUntil(during: Uint8Array, by: ActionSet, then: Uint8Array): Uint8Array {
    const { states, firsts, actions } = this.#lts;
    const isOf = this.#membership(by);
    const left = new Int32Array(states);
    for (let s = 0; s < states; s++) {
      left[s] = firsts[s + 1] - firsts[s];
      for (let t = firsts[s]; t < firsts[s + 1]; t++) if (isOf[actions[t]] === 0) left[s] = -1;
      // sound: test/engines/lts/state-formula.test.ts
      if (left[s] === 0) left[s] = -1;
    }
    const found = Uint8Array.from(then);
    const waiting: number[] = [];
    for (let s = 0; s < states; s++) if (found[s] === 1) waiting.push(s);
    for (let s = waiting.pop(); s !== undefined; s = waiting.pop())
      for (let i = this.#intoFirsts[s]; i < this.#intoFirsts[s + 1]; i++) {
        const from = this.#sources[this.#into[i]];
        if (left[from] <= 0) continue;
        if (--left[from] > 0 || found[from] === 1 || during[from] === 0) continue;
        found[from] = 1;
        waiting.push(from);
      }
    return found;
  }

  /** Removes states that neither end nor have a transition of the set into the rest. */
  #existsAlways(by: ActionSet, of: Uint8Array): Uint8Array {
    const { states, firsts, actions, targets } = this.#lts;
    const isOf = this.#membership(by);
    const found = Uint8Array.from(of);
    const ways = new Int32Array(states);
    const waiting: number[] = [];
    for (let s = 0; s < states; s++) {
      for (let t = firsts[s]; t < firsts[s + 1]; t++)
        if (isOf[actions[t]] === 1 && of[targets[t]] === 1) ways[s]++;
      // sound: test/engines/lts/state-formula.test.ts
      if (found[s] === 1 && ways[s] === 0 && firsts[s] < firsts[s + 1]) waiting.push(s);
    }
    for (let s = waiting.pop(); s !== undefined; s = waiting.pop()) {
      found[s] = 0;
      for (let i = this.#intoFirsts[s]; i < this.#intoFirsts[s + 1]; i++) {
        const t = this.#into[i];
        const from = this.#sources[t];
        if (isOf[actions[t]] === 1 && --ways[from] === 0 && found[from] === 1) waiting.push(from);
      }
    }
    return found;
  }

  /** Follows the reason for the truth or falsity of a formula from a state; an empty path if no path shows it. */
  explain(f: StateFormula, state: number, isTrue: boolean): FormulaPath {
    switch (f.kind) {
      case "true":
      case "false":
      case "deadlock":
      case "variable":
      case "least":
      case "greatest":
        return NO_PATH;
      case "not":
        return this.explain(f.of, state, !isTrue);
      case "and":
      case "or":
        return this.#explainEither(f, state, isTrue);
      case "diamond":
      case "box":
        return (f.kind === "diamond") === isTrue ? this.#oneStep(f, state, isTrue) : NO_PATH;
      case "exists-until":
        return isTrue ? this.#shortest(f, state) : NO_PATH;
      case "exists-always":
        return isTrue ? this.#staying(state, (t) => this.#isWithin(f, t)) : NO_PATH;
      case "all-until":
        return isTrue ? NO_PATH : this.#escaping(f, state);
    }
  }

  #isWithin(f: Extract<StateFormula, { kind: "exists-always" }>, t: number): boolean {
    const { actions, targets } = this.#lts;
    return this.#membership(f.by)[actions[t]] === 1 && this.holds(f)[targets[t]] === 1;
  }

  /** Of the sides that decide, the one with the longer path. */
  #explainEither(
    { kind, left, right }: Extract<StateFormula, { kind: "and" | "or" }>,
    state: number,
    isTrue: boolean,
  ): FormulaPath {
    const decides = (side: StateFormula): boolean => (this.holds(side)[state] === 1) === isTrue;
    // Both sides of a false disjunction and of a true conjunction are reasons.
    const sides = (kind === "and") === isTrue ? [left, right] : [left, right].filter(decides);
    const paths = sides.map((side) => this.explain(side, state, isTrue));
    return paths.reduce(
      (best, path) => (path.transitions.length > best.transitions.length ? path : best),
      NO_PATH,
    );
  }

  #oneStep(
    { by, of }: Extract<StateFormula, { kind: "diamond" | "box" }>,
    state: number,
    isTrue: boolean,
  ): FormulaPath {
    const { firsts, actions, targets } = this.#lts;
    const wanted = isTrue ? 1 : 0;
    for (let t = firsts[state]; t < firsts[state + 1]; t++)
      if (this.#membership(by)[actions[t]] === 1 && this.holds(of)[targets[t]] === wanted)
        return joined([t], this.explain(of, targets[t], isTrue));
    throw new Error("no transition shows the truth of a modality");
  }

  #shortest(f: Until, state: number): FormulaPath {
    const then = this.holds(f.then);
    const during = this.holds(f.during);
    const isOf = this.#membership(f.by);
    const path = this.#search(
      state,
      (s) => then[s] === 1,
      (t) => isOf[this.#lts.actions[t]] === 1 && during[this.#sources[t]] === 1,
    );
    if (!path) throw new Error("no path shows the truth of an until");
    return joined(path.transitions, this.explain(f.then, path.end, true));
  }

  /** A path that avoids `then` until `during` fails, the path ends, or a step is not of the set; otherwise a cycle. */
  #escaping(f: Until, state: number): FormulaPath {
    const { firsts, actions, targets } = this.#lts;
    const isFalse = this.holds(f).map((is) => 1 - is);
    const during = this.holds(f.during);
    const isOf = this.#membership(f.by);
    const outside = (s: number): number => {
      for (let t = firsts[s]; t < firsts[s + 1]; t++) if (isOf[actions[t]] === 0) return t;
      return -1;
    };
    const isEscape = (s: number): boolean =>
      during[s] === 0 || firsts[s] === firsts[s + 1] || outside(s) >= 0;
    const stays = (t: number): boolean => isFalse[targets[t]] === 1;
    const path = this.#search(state, isEscape, stays);
    if (!path) return this.#staying(state, stays);
    const last = outside(path.end);
    const isLeft = during[path.end] === 1 && last >= 0;
    return joined([...path.transitions, ...(isLeft ? [last] : [])], NO_PATH);
  }

  /** Follows transitions until a state repeats or ends. */
  #staying(state: number, stays: (transition: number) => boolean): FormulaPath {
    const { firsts, targets } = this.#lts;
    const at = new Map<number, number>();
    const transitions: number[] = [];
    for (let s = state; ;) {
      const seen = at.get(s);
      if (seen !== undefined) return { transitions, loopStart: seen };
      at.set(s, transitions.length);
      let t = firsts[s];
      while (t < firsts[s + 1] && !stays(t)) t++;
      if (t === firsts[s + 1]) return { transitions, loopStart: undefined };
      transitions.push(t);
      s = targets[t];
    }
  }

  #search(
    from: number,
    isGoal: (state: number) => boolean,
    allows: (transition: number) => boolean,
  ): { readonly transitions: readonly number[]; readonly end: number } | undefined {
    const { firsts, targets } = this.#lts;
    const cameBy = new Map([[from, -1]]);
    for (const [s] of cameBy) {
      if (isGoal(s)) return { transitions: this.#back(cameBy, s), end: s };
      for (let t = firsts[s]; t < firsts[s + 1]; t++)
        if (allows(t) && !cameBy.has(targets[t])) cameBy.set(targets[t], t);
    }
    return undefined;
  }

  #back(cameBy: ReadonlyMap<number, number>, end: number): number[] {
    const transitions: number[] = [];
    for (let t = cameBy.get(end) ?? -1; t >= 0; t = cameBy.get(this.#sources[t]) ?? -1)
      transitions.unshift(t);
    return transitions;
  }
}

const NO_PATH: FormulaPath = { transitions: [], loopStart: undefined };

const joined = (
  transitions: readonly number[],
  { transitions: more, loopStart }: FormulaPath,
): FormulaPath => ({
  transitions: [...transitions, ...more],
  loopStart: loopStart === undefined ? undefined : loopStart + transitions.length,
});
