/** The symmetries of a rule program that a search uses. Reductions select them, the code generator computes representatives from them. */
export interface Symmetry {
  /** Scalarsets whose elements may be renamed, by number. */
  readonly scalarsets: readonly number[];
  readonly form: RepresentativeForm;
}

/**
 * `canonical`: equivalent states have the same representative, so that states are counted once for each orbit. `normal`: they may have
 * several; that is faster where many elements look alike at first sight.
 */
export type RepresentativeForm = "canonical" | "normal";

/**
 * The symmetry of a `Program`: sets of interchangeable elements, and everything in a state that names one of them. An element is a
 * process, or several processes of different templates that share an identity. Plain data, so that it crosses threads.
 *
 * It applies to settled states: all processes are there, and none can create another.
 */
export interface ProcessSymmetry {
  /** The template of each process of a settled state. */
  readonly processes: readonly number[];
  /** Elements in each set. */
  readonly sets: readonly number[];
  /** Kinds of values that name elements. Kind `PROCESS_NUMBERS` has the process numbers, including every process of a set. */
  readonly kinds: readonly (readonly ElementName[])[];
  readonly globals: readonly Naming[];
  /** By template. */
  readonly locals: readonly (readonly Naming[])[];
  /** By channel type, each field. */
  readonly fields: readonly (readonly Named[])[];
  /** By global channel, in order of creation, the elements that it belongs to. Channels of processes move with their process. */
  readonly channels: readonly ChannelName[];
  readonly form: RepresentativeForm;
}

/** A renaming leads to the channel of the same family that belongs to the other elements; without elements it stays where it is. */
export interface ChannelName {
  readonly family: string;
  readonly elements: readonly { readonly set: number; readonly element: number }[];
}

export const PROCESS_NUMBERS = 0;

/** A value that names an element. A renaming leads to the value of the same family that names the other element. */
export interface ElementName {
  readonly value: number;
  readonly set: number;
  readonly element: number;
  readonly family: number;
}

/** Meaning of a scalar: data, a channel, or an element named by a value of a kind. */
export type Named = "data" | "channel" | number;

/** Meanings of the parts of a variable and of the indices of an array. */
export type Naming =
  | { readonly kind: "scalar"; readonly named: Named }
  | { readonly kind: "array"; readonly index: Named; readonly element: Naming }
  | { readonly kind: "record"; readonly fields: readonly Naming[] };

/** The processes of a program once they can create no others. */
export interface SettledProcesses {
  readonly templates: readonly number[];
  /** By process, each local that is a scalar and is then always the same at first. */
  readonly values: readonly (readonly (number | undefined)[])[];
  /** By place, as `placeKey` and `fieldKey` name them, the types of the channels whose numbers it may hold at first. */
  readonly channels: ReadonlyMap<string, ReadonlySet<number>>;
}

/** A part of a variable, regardless of indices: `template` is -1 for a global one, `path` has `[]` for an index and `.2` for a field. */
export const placeKey = (template: number, variable: number, path: string): string =>
  template < 0 ? `g${variable}${path}` : `l${template}.${variable}${path}`;

/** A field of the messages in channels of a type. */
export const fieldKey = (channelType: number, field: number): string => `c${channelType}.${field}`;
