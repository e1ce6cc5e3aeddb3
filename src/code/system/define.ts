/**
 * What a system file says: `export default defineSystem({ … })`. Runs inside realms, together with the user's code; the
 * types are for the user's editor.
 *
 * The file is evaluated once for the properties and once for each node, each time in a realm of its own: nodes share
 * nothing, and a module that two of them import is two instances.
 */

export { linearize, type Operation, type SequentialModel } from "../../model/linearizability.js";

export {
  refining,
  type Difference,
  type Reference,
  type ReferenceInput,
  type ReferenceOutput,
  type Refining,
} from "./refine.js";

/** A value that can be sent, stored and given as input: what JSON can say. */
export type Data =
  null | boolean | number | string | readonly Data[] | { readonly [key: string]: Data | undefined };

/** What a node's code may ask of the world. The methods answer within the step; nothing here waits. */
export interface Environment {
  /** The node's own name. */
  readonly name: string;
  /** The names of all nodes, in the order of the system file. */
  readonly nodes: readonly string[];
  /** One message to one node, or one to several; it is copied. */
  send(to: string | readonly string[], message: Data): void;
  /** To every node that the topology connects with this one. */
  broadcast(message: Data): void;
  /** (Re)sets the timer of that name; `onTimer` gets the name. The delay orders the timers of one node. */
  setTimer(name: string, delayMs?: number): void;
  clearTimer(name: string): void;
  /** A number from 0 to `options - 1`: every one of them is tried. */
  choose(options: number): number;
  /** One of the values: every one of them is tried. */
  chooseFrom<T>(values: readonly T[]): T;
  /** May this fail now? Every way is tried, as often as `faults.failures` allows; `site` names the place. */
  fails(site: string): boolean;
  /** What survives a crash. */
  readonly disk: Disk;
}

export interface Disk {
  read(key: string): Data | undefined;
  /** Is kept over a crash only if `sync` comes first, or by luck. */
  write(key: string, value: Data): void;
  sync(): void;
}

/** A node: an object with handlers. Each call of one is a step; it runs to its end, with all promise jobs. */
export interface Node {
  onStart?(): unknown;
  onMessage?(from: string, message: never): unknown;
  onTimer?(name: string): unknown;
}

export interface SystemDefinition<N extends Node = Node> {
  /** Makes each node, by name. Called in the node's own realm, at the start and after every crash. */
  readonly nodes: Readonly<Record<string, (environment: Environment) => N>>;
  readonly network?: NetworkDefinition;
  readonly faults?: FaultDefinition;
  /** What the environment may do to nodes. */
  readonly actions?: Readonly<Record<string, Action<N>>>;
  /** How often actions that share a budget may happen, in all. */
  readonly budgets?: Readonly<Record<string, number>>;
  /** `any` (the default): every timer that is set may fire. `in-order`: of each node, the one that is due first. */
  readonly timers?: "any" | "in-order";
  /** `Math.random()` gives one of so many evenly spaced values; every one is tried. 1, the default: always 0. */
  readonly random?: number;
  /** `auto` (the default): as data where that can be done. `replay`: nodes are started again to come back to a state. */
  readonly capture?: "auto" | "replay";
  /**
   * Groups of nodes that are alike: exchanging their names leads from every state to one that behaves in the same way. States that
   * differ in such an exchange only are searched once.
   */
  readonly symmetric?: readonly (readonly string[])[];
  /** A node in such a state is not looked at any further: a bound of the search, and named in the answer. */
  readonly discard?: (node: N, name: string) => boolean;
  /** Fields that do not tell states apart, as paths: `stats.sent`, `table.*.lastUsed`, `**.createdAt`. */
  readonly ignore?: readonly string[];
  /**
   * What matters in a state, as data or text, for `--search guided`: states of which it says what it has said of few others come
   * first. Leave bookkeeping out, and names where nodes are alike. It decides on the order of the search, never on its answer.
   */
  readonly guide?: (world: SystemView<N>) => Data;
  /** To hold in every state. A text says what is wrong. */
  readonly always?: Readonly<Record<string, (world: SystemView<N>) => boolean | string>>;
  /** To be reachable. */
  readonly sometimes?: Readonly<Record<string, (world: SystemView<N>) => boolean>>;
  /** To come about in every execution (see --fairness). */
  readonly eventually?: Readonly<Record<string, (world: SystemView<N>) => boolean>>;
  /** From every state there is to be a way to such a state. */
  readonly recoverable?: Readonly<Record<string, (world: SystemView<N>) => boolean>>;
  /** When the system is quiet in that way, every node is to be as it was at the start: otherwise something is still held. */
  readonly returns?: Readonly<Record<string, (world: SystemView<N>) => boolean>>;
  /** To hold for every message when it is sent. */
  readonly messages?: Readonly<Record<string, (message: never, from: string) => boolean | string>>;
  /** May nothing happen any more in that state? Without it, a system that has come to rest is no error. */
  readonly finished?: (world: SystemView<N>) => boolean;
}

export interface NetworkDefinition {
  /** So many messages may be under way; one more is lost. Absent: any number. */
  readonly capacity?: number;
  /** May messages be lost? A number: so often. */
  readonly loss?: boolean | number;
  /** How often a message may be delivered once more: at any time after the first, whatever the order. */
  readonly duplicates?: number;
  /** `any` (the default), or the order of sending for each pair of nodes. */
  readonly order?: "any" | "fifo";
  /** Which nodes hear each other; absent: all. Messages beyond are lost. */
  readonly links?: readonly (readonly [string, string])[];
}

export interface FaultDefinition {
  /** How often nodes may crash, losing all but their disks; each restarts at any time after. */
  readonly crashes?: number;
  readonly crashing?: readonly string[];
  /**
   * `any-effect` (the default): also inside a handler, after any message that it has sent and any write or sync. `between-handlers`:
   * handlers run to their end.
   */
  readonly crashesAt?: "any-effect" | "between-handlers";
  /**
   * What a crash does to what was written and not synced. `may-be-lost` (the default): any of it may be, in any combination.
   * `lost-in-order`: all from some write on. `kept`: nothing.
   */
  readonly unsynced?: "kept" | "may-be-lost" | "lost-in-order";
  /** How often `fails` may answer yes. */
  readonly failures?: number;
  /** The sites that may; absent: all. */
  readonly failing?: readonly string[];
  /** How often the network may fall into two parts, until it heals. */
  readonly partitions?: number;
}

export interface Action<N extends Node = Node> {
  /** The nodes it may happen to; absent: all. */
  readonly on?: string | readonly string[];
  /** With what; absent: once, with nothing. */
  readonly values?: readonly Data[];
  readonly when?: (node: N, value: never) => boolean;
  readonly run: (node: N, value: never) => unknown;
  /** How often in all; absent: no limit of its own. */
  readonly times?: number;
  /** The name of a budget shared with other actions. */
  readonly budget?: string;
}

/** What properties see: copies, which cannot be changed. */
export interface SystemView<N extends Node = Node> {
  readonly nodes: Readonly<Record<string, N>>;
  readonly names: readonly string[];
  isUp(name: string): boolean;
  /** What is under way. */
  readonly network: readonly {
    readonly from: string;
    readonly to: readonly string[];
    readonly message: never;
  }[];
}

/** Values given by `-D NAME=VALUE`: numbers where they are, `true` without a value. */
export type Parameters = Readonly<Record<string, number | string | boolean | undefined>>;

export type SystemFile<N extends Node = Node> = {
  readonly everypath: "system";
  define(parameters: Parameters): SystemDefinition<N>;
  /** Absent: it may. */
  readonly takesParameters?: boolean;
};

export function defineSystem<N extends Node>(
  definition: SystemDefinition<N> | ((parameters: Parameters) => SystemDefinition<N>),
): SystemFile<N> {
  return {
    everypath: "system",
    define: (parameters) => (typeof definition === "function" ? definition(parameters) : definition),
    takesParameters: typeof definition === "function",
  };
}
