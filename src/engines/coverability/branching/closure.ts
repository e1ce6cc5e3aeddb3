/**
 * Finite approximations of a branching vector addition system: everything derivable with i as the largest number. Larger
 * components become i (`under`) or `OMEGA` (`over`). Expands maximal vectors only, but records all, with rule and
 * premises, because witnesses refer to them.
 *
 * Invariant: truncates results of rules, never axioms; applies binary rules to a vector and itself as well.
 */
import { MOST_TOKENS, TokenOverflow, type Bvas } from "../../../model/index.js";
import { Antichain } from "../antichain.js";
import { OMEGA, isBelow } from "../dense.js";
import { Waiting } from "../waiting.js";
import type { Work } from "../work.js";

export interface Closure {
  readonly derived: Antichain;
  /** By number of the vector. */
  readonly records: readonly DerivationRecord[];
  /** The first vector that covers a target, if any was given; ends the derivation. */
  readonly covering: number | undefined;
}

/** Index of the rule within its kind, and the vectors it was applied to. */
export interface DerivationRecord {
  readonly kind: "axiom" | "unary" | "binary";
  readonly rule: number;
  readonly premises: readonly number[];
}

export interface ClosureRequest {
  readonly i: number;
  readonly mode: "under" | "over";
  /** Stop at the first vector that covers one of these. */
  readonly targets: readonly Int32Array[];
  /** Order of expansion, by default vectors at the limit first; the result does not depend on it. */
  readonly takes?: "limit-first" | "oldest-first";
}

export function* closure(bvas: Bvas, request: ClosureRequest, work: Work): Generator<number, Closure> {
  const builder = new Builder(bvas, request, work);
  yield* builder.run();
  work.words -= builder.derived.count * builder.derived.width;
  return { derived: builder.derived, records: builder.records, covering: builder.covering };
}

class Builder {
  readonly derived: Antichain;
  readonly records: DerivationRecord[] = [];
  covering: number | undefined;
  readonly #axioms: readonly Int32Array[];
  readonly #unary: readonly Int32Array[];
  readonly #binary: readonly Int32Array[];
  readonly #request: ClosureRequest;
  readonly #limit: number;
  readonly #work: Work;
  readonly #waiting: Waiting;
  readonly #queue: number[] = [];
  readonly #result: Int32Array;
  #next = 0;
  #turn = 0;

  constructor(bvas: Bvas, request: ClosureRequest, work: Work) {
    const vectors = (rules: Bvas["unary"]): Int32Array[] =>
      rules.map(({ vector }) => Int32Array.from(vector));
    this.#axioms = vectors(bvas.axioms);
    this.#unary = vectors(bvas.unary);
    this.#binary = vectors(bvas.binary);
    this.#request = request;
    this.#limit = request.mode === "under" ? request.i : OMEGA;
    this.#work = work;
    this.#waiting = new Waiting(this.#limit);
    this.derived = new Antichain(bvas.places.length, "largest");
    this.#result = new Int32Array(bvas.places.length);
  }

  *run(): Generator<number, void> {
    for (const [rule, axiom] of this.#axioms.entries()) {
      this.#result.set(axiom);
      this.#insert({ kind: "axiom", rule, premises: [] });
      if (this.covering !== undefined) return;
    }
    for (let from = this.#take(); from >= 0; from = this.#take()) {
      if (!this.derived.isMember(from)) continue;
      if ((++this.#turn & 15) === 0) yield this.#waiting.count;
      this.#goOnFrom(from);
      if (this.covering !== undefined) return;
    }
  }

  #take(): number {
    if (this.#request.takes === "oldest-first") return this.#queue[this.#next++] ?? -1;
    return this.#waiting.take();
  }

  #goOnFrom(from: number): void {
    for (const [rule, change] of this.#unary.entries()) {
      this.#work.check();
      if (!this.#apply(from, undefined, change)) continue;
      this.#insert({ kind: "unary", rule, premises: [from] });
      if (this.covering !== undefined) return;
    }
    if (this.#binary.length === 0) return;
    // A copy: vectors added meanwhile are combined with all others when expanded.
    for (const other of [...this.derived.members, ...(this.derived.isMember(from) ? [] : [from])])
      for (const [rule, change] of this.#binary.entries()) {
        this.#work.check();
        if (!this.#apply(from, other, change)) continue;
        this.#insert({ kind: "binary", rule, premises: [from, other] });
        if (this.covering !== undefined) return;
      }
  }

  /** Puts the truncated result of a rule into `#result`; false if a component would be negative. */
  #apply(first: number, second: number | undefined, change: Int32Array): boolean {
    const { i } = this.#request;
    this.#work.steps++;
    const a = this.derived.at(first);
    const b = second === undefined ? undefined : this.derived.at(second);
    const result = this.#result;
    for (let k = 0; k < result.length; k++) {
      const plus = b === undefined ? 0 : b[k]!;
      if (a[k] === OMEGA || plus === OMEGA) {
        result[k] = OMEGA;
        continue;
      }
      const value = a[k]! + plus + change[k]!;
      if (value < 0) return false;
      if (value > MOST_TOKENS) throw new TokenOverflow("a derived vector"); // sound: test/engines/coverability/quick-branching.test.ts
      result[k] = value > i ? this.#limit : value;
    }
    return true;
  }

  #insert(record: DerivationRecord): void {
    if (this.derived.has(this.#result)) return;
    const number = this.derived.add(this.#result);
    this.records.push(record);
    this.#work.vectors++;
    this.#work.words += this.derived.width;
    if (this.#request.takes === "oldest-first") this.#queue.push(number);
    else this.#waiting.add(number, this.#result);
    if (this.#request.targets.some((target) => isBelow(target, this.#result))) this.covering = number;
  }
}
