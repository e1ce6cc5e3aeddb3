/**
 * Ready sequential models for `linearize` and `History`. Operations are JSON data, so that nodes can send them as messages; those without
 * a result return undefined. Also runs inside realms.
 */
import type { SequentialModel } from "./linearizability.js";
import { dataText } from "./data-text.js";

export type RegisterOperation<T> =
  | { readonly op: "read" }
  | { readonly op: "write"; readonly value: T }
  /** Writes if the value is the expected one; returns whether it did. */
  | { readonly op: "swap"; readonly expected: T; readonly value: T };

export const registerModel = <T>(
  initial: T,
): SequentialModel<T, RegisterOperation<T>, T | boolean | undefined> => ({
  initial,
  apply: (state, operation) => {
    switch (operation.op) {
      case "read":
        return { state, output: state };
      case "write":
        return { state: operation.value, output: undefined };
      case "swap": {
        const isExpected = isSame(state, operation.expected);
        return { state: isExpected ? operation.value : state, output: isExpected };
      }
      default:
        return unknown("register", operation);
    }
  },
});

export type QueueOperation<T> =
  | { readonly op: "put"; readonly value: T }
  /** Returns the oldest value, or null if there is none. */
  | { readonly op: "take" };

export const queueModel = <T>(): SequentialModel<readonly T[], QueueOperation<T>, T | null | undefined> => ({
  initial: [],
  apply: (state, operation) => {
    switch (operation.op) {
      case "put":
        // sound: test/model/sequential-models.test.ts
        if (operation.value === null || operation.value === undefined)
          throw new TypeError("a queue holds no null: it would be taken for an empty queue");
        return { state: [...state, operation.value], output: undefined };
      case "take": {
        const [first = null, ...rest] = state;
        return { state: rest, output: first };
      }
      default:
        return unknown("queue", operation);
    }
  },
});

/** `add` and `remove` return whether they changed the set. */
export interface SetOperation<T> {
  readonly op: "add" | "remove" | "has";
  readonly value: T;
}

export const setModel = <T>(): SequentialModel<readonly T[], SetOperation<T>, boolean> => ({
  initial: [],
  apply: (state, { op, value }) => {
    const rest = state.filter((member) => !isSame(member, value));
    const isMember = rest.length < state.length;
    switch (op) {
      case "add":
        // Sorted, since the order of members means nothing: more states are recognised.
        return { state: isMember ? state : [...state, value].sort(byText), output: !isMember };
      case "remove":
        return { state: rest, output: isMember };
      case "has":
        return { state, output: isMember };
      default:
        return unknown("set", { op });
    }
  },
});

/** `lock` happens when the lock is free, `unlock` when its owner holds it; `tryLock` returns whether it took the lock. */
export interface LockOperation {
  readonly op: "lock" | "tryLock" | "unlock";
  readonly owner: string;
}

export const lockModel = (): SequentialModel<string | null, LockOperation, boolean | undefined> => ({
  initial: null,
  apply: (state, { op, owner }) => {
    switch (op) {
      case "lock":
        return state === null ? { state: owner, output: undefined } : undefined;
      case "tryLock":
        return { state: state ?? owner, output: state === null };
      case "unlock":
        return state === owner ? { state: null, output: undefined } : undefined;
      default:
        return unknown("lock", { op });
    }
  },
});

export type LogOperation<T> =
  /** Returns the position, from 0. */
  | { readonly op: "append"; readonly value: T }
  /** Returns the values from a position on. */
  | { readonly op: "read"; readonly from?: number };

/** A log that only grows. */
export const logModel = <T>(): SequentialModel<readonly T[], LogOperation<T>, number | readonly T[]> => ({
  initial: [],
  apply: (state, operation) => {
    switch (operation.op) {
      case "append":
        return { state: [...state, operation.value], output: state.length };
      case "read":
        return { state, output: state.slice(operation.from ?? 0) };
      default:
        return unknown("log", operation);
    }
  },
});

const isSame = (a: unknown, b: unknown): boolean => dataText(a, "ignored") === dataText(b, "ignored");
const byText = (a: unknown, b: unknown): number => (dataText(a, "ignored") < dataText(b, "ignored") ? -1 : 1);

function unknown(what: string, operation: { readonly op?: unknown }): never {
  throw new TypeError(`a ${what} has no operation '${String(operation.op)}'`);
}
