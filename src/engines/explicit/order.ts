/**
 * What the orders of search share: one run's parts, and the seam between the driver and an order.
 *
 * The driver (`search.ts`) asks an order to `advance` by so many states at a time and looks at the clock in
 * between; the order expands, stores and tells the monitor.
 */
import { Successors, type Model } from "../../model/index.js";
import { NotStepCode } from "../../step/index.js";
import { Settler, widenTo } from "./intermediates.js";
import type { Ledger } from "./ledger.js";
import type { Path, SafetyMonitor } from "./monitor.js";
import type { LoopCode, Renewal, Visited } from "./loop-code.js";
import type { Reduction } from "./reduction.js";
import { settlingBindings } from "./settle-code.js";
import type { StepBackend } from "./step-backend.js";
import { instantiate } from "./store-code.js";

/** Why a search ended before it had seen everything. */
export type Stop =
  "states" | "depth" | "memory" | "full" | "time" | "step" | "tokens" | "interrupted" | "errors" | "disk";

export interface Order {
  /** Expands about `quota` states. False when nothing is left to do, or `run.stop` says why it cannot go on. */
  advance(quota: number): boolean;
  /** The stored states on the way from the initial one to the one with that number, or to the top of the stack. */
  pathTo(id: number): Path;
  /** Steps from the initial state to the farthest state so far. */
  readonly depth: number;
  /** States waiting to be expanded, or on the stack. */
  readonly frontier: number;
  readonly peakFrontier: number;
}

/** Loops that settle batches themselves (`settle-code.ts`). */
export interface Settling {
  settle?(ends: Int32Array, sources: number, firstSource: number): void;
}

export class Run {
  readonly model: Model;
  readonly store: Visited;
  readonly monitor: SafetyMonitor;
  readonly maxDepth: number;
  readonly offered: Successors;
  /** What is stored of a batch in which something is flagged. */
  readonly nominal: Successors;
  readonly settler: Settler;
  transitions = 0;
  /** One bit a state, by number: is it on the stack? Empty unless something is reduced depth-first. */
  onStack: Int32Array = new Int32Array(0);
  stop: Stop | undefined;
  /** Of hashes of intermediate states; fewer than 32 for tests of collisions. */
  hashBits = 32;
  readonly reduction: Reduction | undefined;
  backend: StepBackend | undefined;
  readonly #ledger: Ledger | undefined;
  readonly #settling: Readonly<Record<string, unknown>>;

  constructor(
    model: Model,
    store: Visited,
    monitor: SafetyMonitor,
    maxDepth: number,
    reduction: Reduction | undefined,
    backend?: StepBackend,
    ledger?: Ledger,
  ) {
    this.backend = backend;
    this.#ledger = ledger;
    this.reduction = reduction;
    this.model = model;
    this.store = store;
    this.monitor = monitor;
    this.maxDepth = maxDepth;
    const { width } = model.system;
    this.offered = backend ? backend.newList(width, 256) : new Successors(width, 256);
    this.nominal = backend?.newList(width) ?? new Successors(width);
    this.#settling = backend ? settlingBindings(backend, monitor, width, this.nominal) : {};
    this.settler = new Settler(model.system, monitor, false, this.nominal);
  }

  /** What WebAssembly can address is spent: loops are to be made again, as JavaScript, over the same arrays and more. */
  get isLeaving(): boolean {
    return this.backend !== undefined && this.#ledger?.isElsewhere === true;
  }

  /** What makes the loops, if not JavaScript does. */
  get active(): StepBackend | undefined {
    return this.backend?.isActive ? this.backend : undefined;
  }

  /** Has the search just become large enough for loops as WebAssembly? They are to be made again. */
  becomesLarge(): boolean {
    const { backend, store } = this;
    // sound: test/engines/explicit/becoming-large.test.ts
    if (!backend || backend.isActive || !backend.isWorth(store.count)) return false;
    return (backend.isActive = true);
  }

  leave(): void {
    this.backend?.keepCoverage();
    this.backend = undefined;
    if (this.#ledger) this.#ledger.hasLeft = true;
    this.store.recover?.();
  }

  /** Makes loops, as JavaScript if the system's text is more than step code, or the memory had no room for the first arrays. */
  made<T>(make: () => T): T {
    // sound: test/engines/explicit/leaving.test.ts
    if (this.isLeaving) this.leave();
    try {
      return make();
    } catch (error) {
      if (!this.backend || !(error instanceof NotStepCode)) throw error;
      this.leave();
      return make();
    }
  }

  /** An array that the loops of this run can use. */
  array(length: number): Int32Array {
    return this.backend?.array(length) ?? new Int32Array(length);
  }

  /** The functions of a text with these names. */
  instantiate<T>(
    what: string,
    bindings: Readonly<Record<string, unknown>>,
    text: string,
    functions: readonly string[],
  ): T {
    if (this.active) return this.active.instantiate(text, functions, bindings);
    return instantiate(what, bindings, `${text}\nreturn { ${functions.join(", ")} };`);
  }

  /** What every loop of this run is bound to. */
  bindings({ bindings }: LoopCode): Record<string, unknown> {
    const { model, store, monitor, offered } = this;
    const { system } = model;
    const { candidates } = system;
    return { ...bindings, ...this.#settling, model, system, candidates, store, monitor, offered };
  }

  /** Room for one more state; false, with `stop` set, if there is none. */
  grow(): boolean {
    const growth = this.store.grow();
    // sound: test/engines/stores/flat-states.test.ts
    if (growth === "no states") this.stop = "states";
    // sound: test/engines/stores/flat-states.test.ts
    if (growth === "no memory") this.stop = "memory";
    if (growth === "full") this.stop = "full";
    // sound: test/engines/stores/flat-states.test.ts
    return growth === "grown";
  }

  /** What the search stores of the offered batch: the batch itself unless something in it is flagged. */
  settle(ends: Int32Array, sources: number, firstSource: number, loops?: Settling): Successors {
    if (!this.offered.isFlagged) return this.offered;
    if (this.backend && loops?.settle) loops.settle(ends, sources, firstSource);
    else this.settler.settle(this.offered, ends, sources, firstSource);
    return this.nominal;
  }

  /** Follows the system after its states became wider; undefined, with `stop` set, if there is no memory for it. */
  widen(): Renewal | undefined {
    widenTo(this.offered, this.model.system.width);
    const renewal = this.store.widen(this.model.system.width);
    if (renewal === undefined) this.stop = "memory";
    return renewal;
  }
}
