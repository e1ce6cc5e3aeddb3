/**
 * One node of a system: its code in a realm, and its states, by number.
 *
 * A node's next state depends only on its state, the call and its choices, so its steps are memoised
 * (`local-steps.ts`).
 *
 * There are two ways to return to a state. `data`: the node's heap is captured and restored in place; equal states have
 * equal numbers. `replay`: the node is restarted in a new realm and its calls are repeated; a state is its history.
 * Replay serves nodes that contain more than data (closures, suspended functions, timers of `setTimeout`).
 */
import type { Call, Side, StepReport } from "./node-runtime.js";

export interface NodeProcess {
  readonly mode: "data" | "replay";
  /** The state of the node before its start, with the given disk. */
  down(disk: Side["disk"]): number;
  /** Executes a step, choosing as in the prefix and then the first option. */
  step(from: number, call: Call, how: StepOptions): LocalStep;
  state(number: number): LocalState;
  /** Whether different numbers imply different states. Different histories may lead to equal states. */
  areDistinguished(a: number, b: number): boolean;
  /** The node's object in that state, read-only; undefined while it is down. */
  view(number: number): unknown;
  /** Like `view`, but also restores modules, static fields and closures, until the next `step` or `stand`. */
  stand(number: number): unknown;
  /** Fields that contain only data, readable without `stand`. Undefined: `stand` is cheap. */
  dataFields(number: number): readonly string[] | undefined;
  readonly states: number;
  /** Throws if the node or a condition has changed objects that belong to no state; called at the end of a search. */
  verify(): void;
  /** Throws if a condition has changed the copy of that state. */
  checkCopy(number: number): void;
  /** Throws if a condition has changed objects that methods of copies access. */
  checkOutside(): void;
}

export interface StepOptions {
  readonly prefix: readonly number[];
  readonly mayFail: number;
  readonly isRecorded: boolean;
}

export interface LocalState {
  readonly isUp: boolean;
  readonly side: Side;
  /** Labels of pending timers of `setTimeout`. */
  readonly pending: readonly string[];
}

export interface LocalStep {
  /** The next state; 0 if the step failed. */
  readonly next: number;
  readonly report: StepReport;
}

/** The node contains more than data. */
export class OpaqueNode extends Error {
  readonly node: string;
  readonly what: string;
  readonly path: string;

  constructor(node: string, what: string, path: string) {
    super(`${node} keeps ${what} at ${path}`);
    this.node = node;
    this.what = what;
    this.path = path;
  }
}

/** The same call in the same state had different results. */
export class Nondeterminism extends Error {
  readonly node: string;

  constructor(node: string, what: string) {
    super(`${node} is not deterministic: ${what}`);
    this.node = node;
  }
}

/** A condition has changed the node that it read. */
export class ChangedByCondition extends Error {
  readonly node: string;

  readonly where: string;

  /** `path`: of the field; empty: unnamed; absent: outside the node. */
  constructor(node: string, path?: string) {
    const outside = `variables of modules or static fields of ${node}`;
    const where = path === undefined ? outside : path === "" ? node : `${node}.${path}`;
    super(`a condition changes the nodes that it reads: ${where}`);
    this.node = node;
    this.where = where;
  }
}

/** A node uses an unsupported feature: the check has no verdict. */
export class NotSupported extends Error {
  constructor(what: string) {
    super(`not supported: ${what}`);
  }
}

/** A step timed out inconclusively; a search with one thread must decide whether it ends. */
export class StepTimeout extends Error {}
