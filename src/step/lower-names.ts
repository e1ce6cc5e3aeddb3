/** Meanings of the names in a text of step code, as its module gives them to the lowering. */

export type Meaning =
  | { readonly kind: "constant"; readonly value: number }
  /** An array at a place that is known. */
  | { readonly kind: "array"; readonly address: number; readonly length: number }
  | { readonly kind: "global"; readonly index: number }
  /** A word of the memory. */
  | { readonly kind: "word"; readonly address: number };

export interface Callable {
  readonly index: number;
  readonly parameters: number;
  readonly hasResult: boolean;
}

export interface Names {
  /** Throws if there is no such thing. */
  variable(name: string): Meaning;
  /** The field of a record that the host keeps, as a global. */
  field(record: string, field: string, isWritten: boolean): Meaning;
  /** For a name that is the address of a record: the position of the field in it. Undefined: no such name. */
  slot(name: string, field: string): number | undefined;
  callee(name: string): Callable;
  /** `record.method(…)`: the function called, and whether the record itself is the first argument. */
  method(record: string, method: string): Callable & { readonly takesRecord: boolean };
  /** Arrays of bytes, by the name they have everywhere. */
  isBytes(name: string): boolean;
  /** Arrays of counters, likewise: doubles that are only counted up. */
  isCounters(name: string): boolean;
  /** Addresses have 64 bits. */
  readonly isWide: boolean;
}
