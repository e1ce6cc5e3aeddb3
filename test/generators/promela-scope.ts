/** Declarations of a generated Promela program, and the scope at a position in it. */

/** A readable and writable variable: `x`, `a` with an index, `r.f`. */
export interface Variable {
  readonly name: string;
  readonly type: string;
  /** Number of elements of an array; the index is still missing. */
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
  /** Labels in its body, for remote references. */
  readonly labels: readonly string[];
  /** A numeric local, for remote references. */
  readonly local: string | undefined;
}

/** The constructs of a program: each program uses a random subset, so that rare ones are not crowded out. */
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
  /** Most blocking statements have an alternative, so that not every program deadlocks. */
  readonly lenient: boolean;
}

export interface Scope {
  readonly features: Features;
  readonly variables: readonly Variable[];
  readonly mtypeVariables: readonly string[];
  /** Written but never read: the value of a hidden variable is not part of the state. */
  readonly hiddenVariables: readonly string[];
  readonly channels: readonly Channel[];
  /** A local `chan` variable that receives channels. */
  readonly channelVariable: string | undefined;
  /** Proctypes for `run`. */
  readonly runnable: readonly Template[];
  /** Proctypes with exactly one instance, for remote references. */
  readonly singletons: readonly Template[];
  /** Labels of the proctype for `goto`. */
  readonly targets: readonly string[];
  /** A local `byte` for `for` and `select`. */
  readonly counter: string;
}

export const mtypeNames = ["red", "green", "blue"] as const;
