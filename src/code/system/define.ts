/**
 * The API of system files: `export default defineSystem({ … })`. Runs inside realms with the user's code; the types
 * serve the user's editor.
 *
 * The file is evaluated once for the properties and once per node, each time in a new realm: nodes share no data, and
 * each has separate module instances.
 */

export { History, linearize, type Operation, type SequentialModel } from "../../model/linearizability.js";
export {
  lockModel,
  logModel,
  queueModel,
  registerModel,
  setModel,
  type LockOperation,
  type LogOperation,
  type QueueOperation,
  type RegisterOperation,
  type SetOperation,
} from "../../model/sequential-models.js";

export {
  refining,
  type Difference,
  type Reference,
  type ReferenceInput,
  type ReferenceOutput,
  type Refining,
} from "./refine.js";

import type { PictureScene } from "../../model/picture-scene.js";

export type { PictureScene, Shape } from "../../model/picture-scene.js";

/** JSON data, which can be sent, stored and used as input. */
export type Data =
  null | boolean | number | string | readonly Data[] | { readonly [key: string]: Data | undefined };

/** Services for a node's code. All calls return within the step. */
export interface Environment {
  readonly name: string;
  /** Names of all nodes, in the order of the system file. */
  readonly nodes: readonly string[];
  /** Sends a copy of the message to one or several nodes. */
  send(to: string | readonly string[], message: Data): void;
  /** Sends to every node to which the topology links this one. */
  broadcast(message: Data): void;
  /** Sets or resets the named timer, which calls `onTimer(name)`. Delays order the timers of one node. */
  setTimer(name: string, delayMs?: number): void;
  clearTimer(name: string): void;
  /** A number from 0 to `options - 1`; the checker explores each. */
  choose(options: number): number;
  /** One of the values; the checker explores each. */
  chooseFrom<T>(values: readonly T[]): T;
  /**
   * Whether an operation fails here; the checker explores both, within `faults.failures`. `site` names the operation.
   */
  fails(site: string): boolean;
  /** Storage that survives crashes. */
  readonly disk: Disk;
}

export interface Disk {
  /** Throws if a torn or corrupted entry is not JSON any more. */
  read(key: string): Data | undefined;
  /** Survives a crash only after `sync`, or by chance. */
  write(key: string, value: Data): void;
  sync(): void;
}

/** A node: an object with handlers. Each call of a handler is a step, including all its promise jobs. */
export interface Node {
  onStart?(): unknown;
  onMessage?(from: string, message: never): unknown;
  onTimer?(name: string): unknown;
}

export interface SystemDefinition<N extends Node = Node> {
  /** Creates each node, by name. Called in the node's realm, at the start and after every crash. */
  readonly nodes: Readonly<Record<string, (environment: Environment) => N>>;
  readonly network?: NetworkDefinition;
  readonly faults?: FaultDefinition;
  /** Actions of the environment on nodes. */
  readonly actions?: Readonly<Record<string, Action<N>>>;
  /** Limits shared by several actions. */
  readonly budgets?: Readonly<Record<string, number>>;
  /** `any` (the default): every pending timer may fire. `in-order`: only the earliest of each node. */
  readonly timers?: "any" | "in-order";
  /** Number of evenly spaced values of `Math.random()`, all of which are explored. 1, the default: always 0. */
  readonly random?: number;
  /** `auto` (the default): captures states as data where possible. `replay`: returns to a state by restarting nodes. */
  readonly capture?: "auto" | "replay";
  /**
   * Groups of interchangeable nodes: permuting their names preserves behaviour. The search visits one state per orbit.
   */
  readonly symmetric?: readonly (readonly string[])[];
  /** Excludes states in which this holds for a node: a bound of the search, which the verdict names. */
  readonly discard?: (node: N, name: string) => boolean;
  /** Paths of fields that do not distinguish states: `stats.sent`, `table.*.lastUsed`, `**.createdAt`. */
  readonly ignore?: readonly string[];
  /**
   * Abstraction of a state, as data or text, for `--search guided`: explores states with the rarest value first. Omit
   * bookkeeping, and names of interchangeable nodes. Affects the order of the search, never its verdict.
   */
  readonly guide?: (world: SystemView<N>) => Data;
  /** Draws a state in the explorer: a scene of shapes, or SVG without scripts, styles and links. Affects no verdict. */
  readonly picture?: (world: SystemView<N>) => PictureScene | string;
  /**
   * What `--refines FILE` compares with the specification: values by name. In Promela and Murphi, names are those of variables as traces
   * print them (`turn`, `flag[0]`), and values are numbers, booleans or texts; in another system, names of its `observe`.
   */
  readonly observe?: (world: SystemView<N>) => Readonly<Record<string, Data>>;
  /** Invariants. A returned string describes the violation. */
  readonly always?: Readonly<Record<string, (world: SystemView<N>) => boolean | string>>;
  /** Must be reachable. */
  readonly sometimes?: Readonly<Record<string, (world: SystemView<N>) => boolean>>;
  /** Must hold eventually in every execution (see --fairness). */
  readonly eventually?: Readonly<Record<string, (world: SystemView<N>) => boolean>>;
  /** Must be reachable from every state. */
  readonly recoverable?: Readonly<Record<string, (world: SystemView<N>) => boolean>>;
  /** Whenever this holds, every node must equal its initial state; otherwise it still holds some resource. */
  readonly returns?: Readonly<Record<string, (world: SystemView<N>) => boolean>>;
  /** Must hold for every message that is sent. */
  readonly messages?: Readonly<Record<string, (message: never, from: string) => boolean | string>>;
  /**
   * Limit of different values of a field of a node: beyond it, the field counts as unbounded, and the verdict is `unknown` and names the field.
   * Absent: the search continues until its budget is spent.
   */
  readonly fieldValues?: number;
  /** Whether a step that changes nothing is progress. Default: a state in which no step changes anything is an end. */
  readonly loopsProgress?: boolean;
  /** Whether the system may stop in this state. If omitted, stopping is never an error. */
  readonly finished?: (world: SystemView<N>) => boolean;
}

export interface NetworkDefinition {
  /** Limit of messages in transit; further messages are lost. Absent: unlimited. */
  readonly capacity?: number;
  /** Whether messages may be lost; a number limits losses. */
  readonly loss?: boolean | number;
  /** Limit of duplicate deliveries, each at any time after the first, in any order. */
  readonly duplicates?: number;
  /** `any` (the default), or in the order of sending for each pair of nodes. */
  readonly order?: "any" | "fifo";
  /** Pairs of nodes that can communicate; absent: all. Other messages are lost. */
  readonly links?: readonly (readonly [string, string])[];
}

export interface FaultDefinition {
  /** Limit of crashes. A crashed node keeps only its disk, and restarts at any later time. */
  readonly crashes?: number;
  readonly crashing?: readonly string[];
  /** `any-effect` (the default): also inside a handler, after any message, write or sync. `between-handlers`: never. */
  readonly crashesAt?: "any-effect" | "between-handlers";
  /**
   * Fate of unsynced writes in a crash. `may-be-lost` (the default): any subset is lost. `lost-in-order`: some suffix
   * is lost. `kept`: none is lost.
   */
  readonly unsynced?: "kept" | "may-be-lost" | "lost-in-order";
  /** Limit of `fails` returning true. */
  readonly failures?: number;
  /** Sites that may fail; absent: all. */
  readonly failing?: readonly string[];
  /** Limit of partitions of the network into two parts, each of which later heals. */
  readonly partitions?: number;
  /** Limit of crashes that leave the first half of an unsynced write. */
  readonly torn?: number;
  /** Limit of changes to entries on the disk of a crashed node: a character, or the last digit, becomes another. */
  readonly corruptions?: number;
}

export interface Action<N extends Node = Node> {
  /** Nodes to which it applies; absent: all. */
  readonly on?: string | readonly string[];
  /** Arguments, all of which are explored; absent: none. */
  readonly values?: readonly Data[];
  readonly when?: (node: N, value: never) => boolean;
  readonly run: (node: N, value: never) => unknown;
  /** Limit of occurrences; absent: unlimited. */
  readonly times?: number;
  /** Name of a budget shared with other actions. */
  readonly budget?: string;
}

/** Immutable copies for conditions. */
export interface SystemView<N extends Node = Node> {
  /** Undefined while the node is down: any node may be with `--faults crashes`. */
  readonly nodes: Readonly<Record<string, N | undefined>>;
  readonly names: readonly string[];
  isUp(name: string): boolean;
  /** Messages in transit. */
  readonly network: readonly {
    readonly from: string;
    readonly to: readonly string[];
    readonly message: never;
  }[];
}

/** Values of `-D NAME=VALUE`: numbers if numeric, `true` without a value. */
export type Parameters = Readonly<Record<string, number | string | boolean | undefined>>;

export type SystemFile<N extends Node = Node> = {
  readonly everypath: "system";
  define(parameters: Parameters): SystemDefinition<N>;
  /** Default: true. */
  readonly takesParameters?: boolean;
  /** Declared parameters; absent: any name that the code mentions. */
  readonly declared?: ParameterDefaults;
};

/** Parameters with their defaults: `false` declares a name without a value (`-D NAME`). */
export type ParameterDefaults = Readonly<Record<string, number | string | boolean>>;

/** Their values: of the types of the defaults. */
export type ParameterValues<D extends ParameterDefaults> = {
  readonly [K in keyof D]: D[K] extends number ? number : D[K] extends string ? string : boolean;
};

/**
 * `defineSystem({ … })`, `defineSystem((parameters) => ({ … }))`, or with declared parameters
 * `defineSystem({ BUG: false, N: 3 }, ({ BUG, N }) => ({ … }))`: other names and other kinds of value are refused.
 */
export function defineSystem<N extends Node>(
  definition: SystemDefinition<N> | ((parameters: Parameters) => SystemDefinition<N>),
): SystemFile<N>;
export function defineSystem<D extends ParameterDefaults, N extends Node>(
  parameters: D,
  definition: (parameters: ParameterValues<D>) => SystemDefinition<N>,
): SystemFile<N>;
export function defineSystem<N extends Node>(
  first: SystemDefinition<N> | ((parameters: Parameters) => SystemDefinition<N>) | ParameterDefaults,
  second?: (parameters: never) => SystemDefinition<N>,
): SystemFile<N> {
  if (second) {
    const declared = first as ParameterDefaults;
    const define = (given: Parameters): SystemDefinition<N> => second({ ...declared, ...given } as never);
    return { everypath: "system", define, takesParameters: true, declared };
  }
  const definition = first as SystemDefinition<N> | ((parameters: Parameters) => SystemDefinition<N>);
  return {
    everypath: "system",
    define: (parameters) => (typeof definition === "function" ? definition(parameters) : definition),
    takesParameters: typeof definition === "function",
  };
}
