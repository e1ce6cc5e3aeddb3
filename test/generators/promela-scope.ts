/** What a generated Promela program declares, and what is visible at a point of it. */

/** A variable that can be read and written: `x`, `a` with an index, `r.f`. */
export interface Variable {
  readonly name: string;
  readonly type: string;
  /** Number of elements, for an array; the index is still to be written. */
  readonly length?: number;
  /** Follows the index: `.f`. */
  readonly suffix?: string;
}

export type FieldType = "byte" | "short" | "bool" | "mtype" | "chan";

export interface Channel {
  /** A name, or an array element with its index. */
  readonly name: string;
  readonly capacity: number;
  readonly fields: readonly FieldType[];
}

export interface Template {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly type: FieldType }[];
  /** Labels on statements of its body, for remote references. */
  readonly labels: readonly string[];
  /** A numeric local, for remote references. */
  readonly local: string | undefined;
}

/** Which constructs a program may use: a random part of them each, so that rare ones are not drowned. */
export interface Features {
  readonly arrays: boolean;
  readonly records: boolean;
  readonly mtypes: boolean;
  readonly rendezvous: boolean;
  readonly sortedSends: boolean;
  readonly channelsOfChannels: boolean;
  readonly atomic: boolean;
  readonly dStep: boolean;
  readonly unless: boolean;
  readonly timeout: boolean;
  readonly dynamic: boolean;
  readonly provided: boolean;
  readonly priorities: boolean;
  readonly remote: boolean;
  readonly enabled: boolean;
  readonly hidden: boolean;
  readonly inlines: boolean;
  readonly macros: boolean;
  readonly counting: boolean;
  readonly jumps: boolean;
  readonly overflow: boolean;
  readonly wildIndex: boolean;
  readonly elseWithChannels: boolean;
  /** What can block mostly has a way round it, so that not every program ends stuck. */
  readonly lenient: boolean;
}

export interface Scope {
  readonly features: Features;
  readonly variables: readonly Variable[];
  readonly mtypeVariables: readonly string[];
  /** Written but never read: the value of a hidden variable is no part of the state. */
  readonly hiddenVariables: readonly string[];
  readonly channels: readonly Channel[];
  /** A local `chan` variable to receive channels into. */
  readonly channelVariable: string | undefined;
  /** Proctypes that may be created with `run`. */
  readonly runnable: readonly Template[];
  /** Proctypes with exactly one instance, for remote references. */
  readonly singletons: readonly Template[];
  /** Labels of the proctype itself that `goto` may name. */
  readonly targets: readonly string[];
  /** A local `byte` for `for` and `select`. */
  readonly counter: string;
}

export const mtypeNames = ["red", "green", "blue"] as const;
