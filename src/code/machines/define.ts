/**
 * The API of files with several XState machines: `export default defineMachines({ … })`. Runs inside realms with the user's code; the
 * types serve the user's editor. A file that exports one machine needs no declaration.
 */
import type { Data, SystemView } from "../system/define.js";

/** An XState 5 machine, whatever its types: the checker does not depend on the package. */
export interface AnyMachine {
  readonly id: string;
  readonly root: object;
  readonly events: readonly string[];
}

/** What conditions see of a machine. */
export interface MachineView {
  /** The state value, as XState has it: `"paying"`, `{ open: "editing" }`. */
  readonly value: unknown;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the type of the context is the user's
  readonly context: any;
  readonly status: "active" | "done";
}

/** Immutable copies for conditions. */
export interface MachinesView extends Pick<SystemView, "names" | "network"> {
  readonly nodes: Readonly<Record<string, MachineView>>;
}

/** An event from outside: its type, or with its payload. An event given by its type alone has no payload that code may read. */
export type OutsideEvent = string | ({ readonly type: string } & { readonly [key: string]: Data });

export interface MachinesDefinition {
  /**
   * Machines by name. They run at the same time and have mailboxes: `sendTo(({ system }) => system.get(NAME), …)` reaches another one, which
   * takes its messages in the order of sending, each as a step.
   */
  readonly machines: Readonly<Record<string, AnyMachine>>;
  /** Events that come from outside, by machine. Absent: all events that a machine mentions. Required for several machines. */
  readonly events?: Readonly<Record<string, readonly OutsideEvent[]>>;
  /** Results of invoked promises, by the name of the actor. Absent: code may not read the result. */
  readonly outcomes?: Readonly<Record<string, Outcomes>>;
  readonly input?: Readonly<Record<string, Data>>;
  /** `any` (the default): every pending delay may end. `in-order`: only the earliest of each machine. */
  readonly delays?: "any" | "in-order";
  /** States in which a machine may rest for ever, besides its final states. */
  readonly mayStop?: Readonly<Record<string, readonly string[]>>;
  /** Limit of different values of a field of a context; beyond it the field counts as unbounded. Default: 256. */
  readonly fieldValues?: number;
  /** Invariants over the machines. A returned string describes the violation. */
  readonly always?: Readonly<Record<string, (world: MachinesView) => boolean | string>>;
  /** Must be reachable. */
  readonly sometimes?: Readonly<Record<string, (world: MachinesView) => boolean>>;
  /** Must hold eventually in every execution (see --fairness). */
  readonly eventually?: Readonly<Record<string, (world: MachinesView) => boolean>>;
  /** Must be reachable from every state. */
  readonly recoverable?: Readonly<Record<string, (world: MachinesView) => boolean>>;
}

/** Data that a promise may resolve with, and errors that it may reject with. An empty list: it never does. */
export interface Outcomes {
  readonly done?: readonly (Data | undefined)[];
  readonly error?: readonly Data[];
}

export interface MachinesFile extends MachinesDefinition {
  readonly everypath: "machines";
}

export function defineMachines(definition: MachinesDefinition): MachinesFile {
  return { ...definition, everypath: "machines" };
}
