/**
 * Classes of places that hold values of the same kind, by unification: whatever is assigned to, compared with or matched against each
 * other, or indexes the same array, is in one class. Channels of one class have messages whose fields are in common classes.
 */
import type { ScalarType, Span } from "../../../model/index.js";

export interface Reason {
  readonly why: string;
  readonly span: Span;
}

/** Facts about a class. Ones that are missing restrict nothing. */
export interface ValueClass {
  /** Names processes by their numbers. */
  isProcess: boolean;
  /** Stands for channels. */
  isChannel: boolean;
  /** Of channels: the class of each field of their messages. */
  readonly fields: number[];
  /** The first use that only numbers allow. */
  numeric: Reason | undefined;
  /** Constants that its values are compared with or set to. */
  readonly constants: { readonly value: number; readonly at: Reason }[];
  readonly types: { readonly type: ScalarType; readonly at: Reason }[];
  /** Lengths of the arrays that its values index. */
  readonly lengths: { readonly length: number; readonly at: Reason }[];
}

export class ValueClasses {
  readonly #parents: number[] = [];
  readonly #facts: ValueClass[] = [];
  readonly #places = new Map<string, number>();
  /** Of process numbers. */
  readonly processes = this.fresh();

  constructor() {
    this.#facts[this.processes]!.isProcess = true;
  }

  /** All classes, each once. */
  get all(): number[] {
    return [...this.#parents.keys()].filter((node) => this.#parents[node] === node);
  }

  fresh(): number {
    this.#facts.push(emptyClass());
    return this.#parents.push(this.#parents.length) - 1;
  }

  /** The class of a place, which is made when it is first asked for. */
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
    while (this.#parents[root] !== root) root = this.#parents[root]!;
    return root;
  }

  facts(node: number): ValueClass {
    return this.#facts[this.find(node)]!;
  }

  unite(a: number, b: number): void {
    const [kept, gone] = [this.find(a), this.find(b)];
    if (kept === gone) return;
    const [into, from] = [this.#facts[kept]!, this.#facts[gone]!];
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

/** Does a scalar of the type keep the value as it is? */
export const fits = (value: number, { bits, signed }: ScalarType): boolean =>
  signed ? value >= -(2 ** (bits - 1)) && value < 2 ** (bits - 1) : value >= 0 && value < 2 ** bits;
