/**
 * The safety monitor: decides on errors, counts each, and keeps the first path to each.
 *
 * An error is identified by the fault's site, the invariant and the way it is violated, or deadlock. Faults of unchecked
 * properties are not errors, and the search continues past them.
 */
import { Status, type Model, type Words } from "../../model/index.js";

export type Cause =
  | { readonly kind: "fault"; readonly site: number }
  | { readonly kind: "invariant"; readonly index: number; readonly way?: string }
  | { readonly kind: "deadlock" };

export interface Violation {
  readonly cause: Cause;
  /** Stored states from the initial one to the violating one, or to the source of the violating step. */
  readonly path: Path;
  /** For a deadlock inside an atomic sequence: the state in which it is stuck. */
  readonly stuckAt: Words | undefined;
  occurrences: number;
}

/** States that are only looked at when a trace is made of them: there may be millions. */
export interface Path {
  readonly length: number;
  state(index: number): Words;
}

export interface MonitorOptions {
  /** Stop after this number of errors; `Infinity` to continue. */
  readonly maxErrors: number;
  readonly checksDeadlock: boolean;
  /** By site: is a fault there an error? */
  readonly checksSite: readonly boolean[];
  /** Invariants to check, by index. */
  readonly invariants: readonly number[];
  /** Properties whose violation is sought, not an error. */
  readonly sought?: readonly number[];
}

export class SafetyMonitor {
  /** Enough errors were seen: the search is to stop. */
  isDone = false;
  /** Deadlocks that the loops count without telling which. */
  moreDeadlocks = 0;
  #errors = 0;
  readonly checksDeadlock: boolean;
  readonly invariants: readonly number[];
  readonly #violations = new Map<string, Violation>();
  readonly #ways: InvariantWays;
  readonly #model: Model;
  readonly #options: MonitorOptions;
  readonly #pathTo: (id: number) => Path;

  constructor(model: Model, options: MonitorOptions, pathTo: (id: number) => Path) {
    this.#model = model;
    this.#options = options;
    this.#pathTo = pathTo;
    this.#ways = new InvariantWays(model);
    this.checksDeadlock = options.checksDeadlock;
    this.invariants = options.invariants;
  }

  get errors(): number {
    return this.#errors + this.moreDeadlocks;
  }

  get violations(): readonly Violation[] {
    const deadlock = this.#violations.get("deadlock");
    if (deadlock) {
      deadlock.occurrences += this.moreDeadlocks;
      this.#errors += this.moreDeadlocks;
      this.moreDeadlocks = 0;
    }
    return [...this.#violations.values()];
  }

  /** Every further deadlock only adds to `moreDeadlocks`. */
  get countsDeadlocks(): boolean {
    // sound: test/engines/explicit/counted-deadlocks.test.ts
    return this.#options.maxErrors === Infinity && this.#violations.has("deadlock");
  }

  /** A step out of state `source` failed. */
  fault(site: number, source: number): void {
    // sound: test/engines/explicit/conditions.test.ts
    if (this.#options.checksSite[site]) this.#add(`fault ${site}`, { kind: "fault", site }, source);
  }

  /** State `id` has no successor. */
  stuck(id: number, state: Words, at: number): void {
    if (this.#isDeadlock(state, at)) this.#add("deadlock", { kind: "deadlock" }, id);
  }

  /** An atomic sequence that starts in state `source` has no way on from `state`. */
  stuckInside(source: number, state: Words): void {
    if (this.#isDeadlock(state, 0)) this.#add("deadlock", { kind: "deadlock" }, source, state.slice());
  }

  /** Invariant `index` is false in state `id`, which is the one `at` that place of `words`. */
  broken(index: number, id: number, words: Words, at: number): void {
    if (this.isDone) return;
    // sound: test/engines/explicit/conditions.test.ts
    const isHopedFor = this.#options.sought?.includes(index) ?? false;
    const cause = this.#ways.causeOf(index, words, at);
    this.#add(`invariant ${index} ${cause.way ?? ""}`, cause, id, undefined, isHopedFor ? 0 : 1);
  }

  #isDeadlock(state: Words, at: number): boolean {
    // sound: test/engines/explicit/conditions.test.ts
    return this.checksDeadlock && (this.#model.system.status(state, at) & Status.validEnd) === 0;
  }

  #add(key: string, cause: Cause, id: number, stuckAt?: Words, errors = 1): void {
    if (this.isDone) return;
    const known = this.#violations.get(key);
    if (known) known.occurrences++;
    else this.#violations.set(key, { cause, path: this.#pathTo(id), stuckAt, occurrences: 1 });
    this.#errors += errors;
    // sound: test/engines/explicit/conditions.test.ts
    this.isDone = this.errors >= this.#options.maxErrors;
  }
}

/** Tells errors of the same invariant apart, where the model can. */
export class InvariantWays {
  readonly #model: Model;
  readonly #known = new Map<number, Set<string>>();

  constructor(model: Model) {
    this.#model = model;
  }

  causeOf(index: number, state: Words, at: number): Extract<Cause, { kind: "invariant" }> {
    const way = this.#model.violationClass?.(index, state, at);
    if (way === undefined || !this.#isOwn(index, way)) return { kind: "invariant", index };
    return { kind: "invariant", index, way };
  }

  /** Violations beyond the limit count as one error, however they differ. */
  #isOwn(index: number, way: string): boolean {
    const known = this.#known.get(index) ?? new Set();
    this.#known.set(index, known);
    return known.has(way) || (known.size < MOST_WAYS && known.add(way).size > 0);
  }
}

const MOST_WAYS = 32;
