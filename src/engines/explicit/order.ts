/**
 * Shared by the orders of search: one run's parts, and the seam between the driver and an order.
 *
 * The driver (`search.ts`) lets an order `advance` by a number of states at a time and checks the clock in between; the order
 * expands and stores states and notifies the monitor.
 */
import type { Model } from "../../model/index.js";
import { widenTo } from "./intermediates.js";
import type { Ledger } from "./ledger.js";
import type { Path, SafetyMonitor } from "./monitor.js";
import type { Renewal, Visited } from "./loop-code.js";
import type { Reduction } from "./reduction.js";
import type { StepBackend } from "./step-backend.js";
import { ThreadRun } from "./thread-run.js";

/** Why a search ended before it had seen everything. */
export type Stop =
  "states" | "depth" | "memory" | "full" | "time" | "step" | "tokens" | "interrupted" | "errors" | "disk";

export interface Order {
  /** Expands about `quota` states. False when nothing is left to do, or `run.stop` holds the reason to stop. */
  advance(quota: number): boolean;
  /** The stored states on the way from the initial one to the one with that number, or to the top of the stack. */
  pathTo(id: number): Path;
  /** Steps from the initial state to the farthest state so far. */
  readonly depth: number;
  /** States waiting to be expanded, or on the stack. */
  readonly frontier: number;
  readonly peakFrontier: number;
}

export class Run extends ThreadRun {
  readonly maxDepth: number;
  transitions = 0;
  /** One bit per state, by number: is it on the stack? Empty unless something is reduced depth-first. */
  onStack: Int32Array = new Int32Array(0);
  stop: Stop | undefined;
  /** Siblings on the stack from which on known ones are removed. */
  purgeAt = 1 << 15;
  readonly reduction: Reduction | undefined;

  constructor(
    model: Model,
    store: Visited,
    monitor: SafetyMonitor,
    maxDepth: number,
    reduction: Reduction | undefined,
    backend?: StepBackend,
    ledger?: Ledger,
  ) {
    super(model, store, monitor, backend, ledger);
    this.reduction = reduction;
    this.maxDepth = maxDepth;
  }

  /** Has the search just become large enough for loops as WebAssembly? They must be recompiled. */
  becomesLarge(): boolean {
    const { backend, store } = this;
    // sound: test/engines/explicit/becoming-large.test.ts
    if (!backend || backend.isActive || !backend.isWorth(store.count)) return false;
    return (backend.isActive = true);
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

  /** Follows the system after its states became wider; undefined, with `stop` set, if there is no memory for it. */
  widen(): Renewal | undefined {
    widenTo(this.offered, this.model.system.width);
    const renewal = this.store.widen(this.model.system.width);
    if (renewal === undefined) this.stop = "memory";
    return renewal;
  }
}
