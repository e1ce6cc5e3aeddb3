/** The part of a run that each thread has: its lists of successors, and the loops over its store, as WebAssembly or as JavaScript. */
import { Status, Successors, type Model } from "../../model/index.js";
import { NotStepCode } from "../../step/index.js";
import { Settler } from "./intermediates.js";
import type { Ledger } from "./ledger.js";
import type { SafetyMonitor } from "./monitor.js";
import type { SharedCode, Visited } from "./loop-code.js";
import { settlingBindings, type Witness } from "./settle-code.js";
import type { StepBackend } from "./step-backend.js";
import { instantiate } from "./store-code.js";

/** Loops that settle batches themselves (`settle-code.ts`). */
export interface Settling {
  settle?(ends: Int32Array, sources: number, firstSource: number): void;
}

export class ThreadRun<Store extends Pick<Visited, "recover"> = Visited> {
  readonly model: Model;
  readonly store: Store;
  readonly monitor: SafetyMonitor;
  readonly offered: Successors;
  /** The nominal states of a batch with flagged entries. */
  readonly nominal: Successors;
  readonly settler: Settler;
  /** Of hashes of intermediate states; fewer than 32 for tests of collisions. */
  hashBits = 32;
  backend: StepBackend | undefined;
  readonly #ledger: Ledger | undefined;
  readonly #settling: Readonly<Record<string, unknown>>;

  /** `labelsMatter`: the labels of steps are wanted, so the list is settled outside of the loops. */
  constructor(
    model: Model,
    store: Store,
    monitor: SafetyMonitor & Witness,
    backend?: StepBackend,
    ledger?: Ledger,
    labelsMatter = false,
  ) {
    this.backend = backend;
    this.#ledger = ledger;
    this.model = model;
    this.store = store;
    this.monitor = monitor;
    const { width } = model.system;
    this.offered = backend ? backend.newList(width, 256) : new Successors(width, 256);
    this.nominal = backend?.newList(width) ?? new Successors(width);
    this.#settling = backend ? settlingBindings(backend, monitor, width, this.nominal) : {};
    this.settler = new Settler(model.system, monitor, labelsMatter, this.nominal);
  }

  /** WebAssembly's address space is spent: loops must be recompiled, as JavaScript, over the same arrays and more. */
  get isLeaving(): boolean {
    return this.backend !== undefined && this.#ledger?.isElsewhere === true;
  }

  /** The backend of the loops; undefined for JavaScript. */
  get active(): StepBackend | undefined {
    return this.backend?.isActive ? this.backend : undefined;
  }

  /** A condition of step code: is the loaded state no valid end? True where only the host can tell. */
  get isNoEnd(): string {
    const { step, status } = this.model.system;
    // sound: test/engines/explicit/counted-deadlocks.test.ts
    return step?.same.status === status ? `(system.status(from, fromAt) & ${Status.validEnd}) === 0` : "";
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

  instantiate<T>(
    what: string,
    bindings: Readonly<Record<string, unknown>>,
    text: string,
    functions: readonly string[],
  ): T {
    if (this.active) return this.active.instantiate(text, functions, bindings);
    return instantiate(what, bindings, `${text}\nreturn { ${functions.join(", ")} };`);
  }

  /** Bindings of every loop of this run. */
  bindings({ bindings }: SharedCode): Record<string, unknown> {
    const { model, store, monitor, offered } = this;
    const { system } = model;
    const { candidates } = system;
    return { ...this.#settling, model, system, candidates, store, monitor, offered, ...bindings };
  }

  /** The states to store from the offered batch: the batch itself unless an entry is flagged. */
  settle(ends: Int32Array, sources: number, firstSource: number, loops?: Settling): Successors {
    if (!this.offered.isFlagged) return this.offered;
    if (this.backend && loops?.settle) loops.settle(ends, sources, firstSource);
    else this.settler.settle(this.offered, ends, sources, firstSource);
    return this.nominal;
  }
}
