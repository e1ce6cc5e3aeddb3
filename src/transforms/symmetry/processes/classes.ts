/**
 * Classes of places with values of the same kind, by unification: values that are assigned, compared or matched to each other, or
 * index the same array, share a class. The messages of channels in one class have fields in common classes.
 */
import type { ScalarType, Span } from "../../../model/index.js";
import { nth } from "../../../model/known.js";

export interface Reason {
  readonly why: string;
  readonly span: Span;
}

/** Facts about a class. Missing facts restrict nothing. */
export interface ValueClass {
  /** The values are process numbers. */
  isProcess: boolean;
  /** The values are channels. */
  isChannel: boolean;
  /** For channels: the class of each field of their messages. */
  readonly fields: number[];
  /** The first use that requires a number. */
  numeric: Reason | undefined;
  /** Constants that are compared with or assigned to its values. */
  readonly constants: { readonly value: number; readonly at: Reason }[];
  readonly types: { readonly type: ScalarType; readonly at: Reason }[];
  /** Lengths of the arrays indexed by its values. */
  readonly lengths: { readonly length: number; readonly at: Reason }[];
}

export class ValueClasses {
  readonly #parents: number[] = [];
  readonly #facts: ValueClass[] = [];
  readonly #places = new Map<string, number>();
  /** The class of process numbers. */
  readonly processes = this.fresh();

  constructor() {
    nth(this.#facts, this.processes).isProcess = true;
  }

  /** All classes, without repetition. */
  get all(): number[] {
    return [...this.#parents.keys()].filter((node) => this.#parents[node] === node);
  }

  fresh(): number {
    this.#facts.push(emptyClass());
    return this.#parents.push(this.#parents.length) - 1;
  }

  /** The class of a place, created on demand. */
  of(place: string): number {
    const known = this.#places.get(place);
    if (known !== undefined) return known;
    const made = this.fresh();
    this.#places.set(place, made);
    return made;
  }

  /** The class of a place; undefined: no settled process uses it. */
  known(place: string): number | undefined {
    const node = this.#places.get(place);
    return node === undefined ? undefined : this.find(node);
  }

  find(node: number): number {
    let root = node;
    while (this.#parents[root] !== root) root = nth(this.#parents, root);
    return root;
  }

  facts(node: number): ValueClass {
    return nth(this.#facts, this.find(node));
  }

  unite(a: number, b: number): void {
    const [kept, gone] = [this.find(a), this.find(b)];
    if (kept === gone) return;
    const [into, from] = [nth(this.#facts, kept), nth(this.#facts, gone)];
    this.#parents[gone] = kept;
    into.isProcess ||= from.isProcess;
    into.isChannel ||= from.isChannel;
    into.numeric ??= from.numeric;
    into.constants.push(...from.constants);
    into.types.push(...from.types);
    into.lengths.push(...from.lengths);
    // sound: test/transforms/symmetry/processes.test.ts
    from.fields.forEach((node, field) => this.unite(this.field(kept, field), node));
  }

  /** The class of a field of the messages in channels of a class. */
  field(channel: number, field: number): number {
    const { fields } = this.facts(channel);
    return (fields[field] ??= this.fresh());
  }
}

const emptyClass = (): ValueClass => ({
  isProcess: false,
  isChannel: false,
  fields: [],
  numeric: undefined,
  constants: [],
  types: [],
  lengths: [],
});

/** Does a scalar of the type represent the value? */
export const fits = (value: number, { bits, signed }: ScalarType): boolean =>
  signed ? value >= -(2 ** (bits - 1)) && value < 2 ** (bits - 1) : value >= 0 && value < 2 ** bits;
