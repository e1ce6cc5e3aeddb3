/** `AbortController` and `AbortSignal`, with timeouts by the virtual clock. */
import { Event, EventTarget, handlerOf, setHandler } from "./event-target.js";

export class DOMException extends Error {
  override readonly name: string;
  readonly code: number;

  constructor(message = "", name = "Error") {
    super(message);
    this.name = name;
    this.code =
      name === "AbortError" ? 20 : name === "TimeoutError" ? 23 : name === "DataCloneError" ? 25 : 0;
  }
}

export class AbortSignal extends EventTarget {
  aborted = false;
  reason: unknown = undefined;

  get onabort(): ((event: Event) => void) | null {
    return handlerOf(this, "abort");
  }

  set onabort(handler: ((event: Event) => void) | null) {
    setHandler(this, "abort", handler);
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal();
    abort(signal, reason);
    return signal;
  }

  static timeout(delayMs: number): AbortSignal {
    const signal = new AbortSignal();
    const why = "The operation was aborted due to timeout";
    setTimeout(() => abort(signal, new DOMException(why, "TimeoutError")), delayMs);
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const all = [...signals];
    const result = new AbortSignal();
    const first = all.find(({ aborted }) => aborted);
    if (first) abort(result, first.reason);
    else for (const signal of all) dependents.set(signal, [...(dependents.get(signal) ?? []), result]);
    return result;
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
}

export class AbortController {
  readonly signal = new AbortSignal();

  abort(reason?: unknown): void {
    abort(this.signal, reason);
  }
}

function abort(signal: AbortSignal, reason: unknown): void {
  if (signal.aborted) return;
  signal.aborted = true;
  signal.reason =
    reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
  signal.dispatchEvent(new Event("abort"));
  for (const other of dependents.get(signal) ?? []) abort(other, signal.reason); // sound: test/code/conditions.test.ts
}

/** Signals of `AbortSignal.any`, notified after the listeners of the signal itself. */
const dependents = new WeakMap<AbortSignal, readonly AbortSignal[]>();
