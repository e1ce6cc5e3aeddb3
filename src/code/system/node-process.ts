/**
 * One node of a system: its code in a realm, and its states, by number.
 *
 * A node's next state depends on its state, on what it is called with and on the choices it makes, and on nothing else;
 * so steps of a node are made once and remembered by whoever asks (`local-steps.ts`).
 *
 * Two ways to come back to a state. `data`: everything that the node keeps is captured and written back in place; equal
 * states have equal numbers. `replay`: the node is started again in a new realm and told what it was told; a state is
 * its history. Replay is for nodes that keep what is no data (closures, suspended functions, timers of `setTimeout`).
 */
import type { Call, Side, StepReport } from "./inside.js";

export interface NodeProcess {
  readonly mode: "data" | "replay";
  /** The state of the node before it starts, with that on its disk. */
  down(disk: Side["disk"]): number;
  /** Takes a step out of a state, choosing what the prefix says and then always the first. */
  step(from: number, call: Call, how: StepOptions): LocalStep;
  state(number: number): LocalState;
  /** Are these two states of the node known to differ, because they have different numbers? Histories may differ and lead to the same. */
  areToldApart(a: number, b: number): boolean;
  /** The node's object as it was, to look at; undefined while it is down. */
  view(number: number): unknown;
  /**
   * The same, where all that its methods look at, variables of modules, static fields and what closures hold, is as in that state until
   * the node takes a step or stands elsewhere.
   */
  stand(number: number): unknown;
  /** Fields of a view that are data through and through: they may be looked at without standing. Undefined: to stand costs little. */
  dataFields(number: number): readonly string[] | undefined;
  readonly states: number;
  /** Throws when the node has changed what belongs to no state, or somebody who looked at it has: asked when a search is over. */
  verify(): void;
  /** Throws when somebody has changed the copy of that state. */
  checkCopy(number: number): void;
  /** Throws when somebody who looked at a copy has changed what its methods look at. */
  checkOutside(): void;
}

export interface StepOptions {
  readonly prefix: readonly number[];
  /** How often `fails` may say yes. */
  readonly mayFail: number;
  readonly tells: boolean;
}

export interface LocalState {
  readonly isUp: boolean;
  readonly side: Side;
  /** What of the realm waits to happen: timers of `setTimeout`, by label. */
  readonly pending: readonly string[];
}

export interface LocalStep {
  /** The state it leads to; 0 if it failed. */
  readonly next: number;
  readonly report: StepReport;
}

/** The node keeps something that is no data. */
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

/** The same call in the same state led somewhere else. */
export class Nondeterminism extends Error {
  readonly node: string;

  constructor(node: string, what: string) {
    super(`${node} does not do the same again: ${what}`);
    this.node = node;
  }
}

/** A condition has changed the node that it looked at. */
export class Disturbed extends Error {
  readonly node: string;

  readonly where: string;

  /** `path`: of the field; empty: it has no name; absent: it is no field of the node. */
  constructor(node: string, path?: string) {
    const outside = `variables of modules or static fields of ${node}`;
    const where = path === undefined ? outside : path === "" ? node : `${node}.${path}`;
    super(`a condition changes what it looks at: ${where}`);
    this.node = node;
    this.where = where;
  }
}

/** A node does what this world does not have: there is no answer. */
export class NotSupported extends Error {
  constructor(what: string) {
    super(`not supported: ${what}`);
  }
}

/** A step was given up for want of time, where that says nothing about the step: whether it ends is for a search with one thread to tell. */
export class GivenUp extends Error {}
