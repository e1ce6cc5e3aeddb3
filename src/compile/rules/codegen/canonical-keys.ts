/**
 * Keys of scalarset elements: everything in a state that mentions one element alone, as a few words for each.
 *
 * A *row* is a field that every element of a set has, such as `cache[i].state`. A *mark* is a place that holds an element: one bit in the key of
 * that element. `readKeys` writes all keys into an array, for the search of `canonical-search.ts`.
 *
 * If no value relates two elements, sorted keys are the whole truth, and `emitSorting` needs nothing else: it holds the keys in
 * variables, sorts them by a network, and writes the fields back from the sorted keys. Two elements with equal keys are the same.
 */
import { bitPlace, ordinalOf, type Column } from "../layout.js";
import { emitColumnCode, emitColumnPut, maskOf } from "./cells.js";
import { setOf, type Dimension, type ElementSets, type Family } from "./families.js";
import { FunctionText, block, type Scope } from "./scope.js";

/** Elements `first … first + size - 1` have a field of these bits in their keys. */
interface Field {
  readonly first: number;
  readonly size: number;
  readonly word: number;
  readonly shift: number;
  readonly column: Column;
}

interface Row extends Field {
  readonly indicesOf: (element: number) => number[];
}

/** The place has codes `start + 1 …` for the elements. */
interface Mark extends Field {
  readonly indices: readonly number[];
  readonly start: number;
}

export class Keys {
  readonly rows: Row[] = [];
  readonly marks: Mark[] = [];
  readonly words: number;
  readonly #elements: ElementSets;

  /** `isNumbered`: the lowest bits of a key are the number of its element in the set. */
  constructor(families: readonly Family[], elements: ElementSets, isNumbered: boolean) {
    this.#elements = elements;
    const layouts = elements.sets.map(({ size }) => new KeyLayout(isNumbered ? bitsForNumber(size) : 0));
    const layoutOf = (first: number): KeyLayout => layouts[elements.sets.indexOf(setOf(elements, first))]!;
    for (const { column, dimensions, segments } of families) {
      const involved = dimensions.findIndex((d) => d.segments.length > 0); // sound: test/transforms/symmetry/representatives.test.ts
      // A family concerns one element by a dimension or by its values.
      for (const { start, first, size } of segments)
        for (const indices of tuples(dimensions))
          this.marks.push({ first, size, start, column, indices, ...layoutOf(first).take(1) });
      const others = dimensions.map((d, i) => (i === involved ? { ...d, length: 1 } : d)); // sound: test/transforms/symmetry/representatives.test.ts
      for (const { start, first, size } of dimensions[involved]?.segments ?? [])
        for (const indices of tuples(others)) {
          const indicesOf = (element: number): number[] =>
            indices.map((index, d) => (d === involved ? start + element - first : index)); // sound: test/transforms/symmetry/representatives.test.ts
          this.rows.push({ first, size, column, indicesOf, ...layoutOf(first).take(column.bits) });
        }
    }
    this.words = Math.max(1, ...layouts.map((layout) => layout.words));
  }

  /** `readKeys(w, o)`: writes KEY. */
  emitRead(): string {
    const text = new FunctionText();
    const scope = scopeOf(text, "w", "o");
    const lines = Array.from(
      { length: this.#elements.count * this.words },
      (_, k) => `KEY[${k}] = ${this.#rowCode(Math.floor(k / this.words), k % this.words, scope) || "0"};`,
    );
    return block(
      "function readKeys(w, o)",
      [text.declarations(), ...lines, ...this.marks.map((mark) => this.#markLine(mark, scope))].join("\n"),
    );
  }

  /** Sorting pays while the keys fit into a moderate number of variables. */
  get areSortable(): boolean {
    return this.#elements.count * this.words <= MOST_VARIABLES;
  }

  /** `canonicalise(w, o)`, if no value relates elements and the keys are numbered. */
  emitSorting(): string {
    const { count, sets } = this.#elements;
    const text = new FunctionText();
    const scope = scopeOf(text, "w", "o");
    const variables: string[] = [];
    for (let e = 0; e < count; e++)
      for (let word = 0; word < this.words; word++) {
        const set = setOf(this.#elements, e);
        const terms = [
          this.marks.length > 0 ? `KEY[${e * this.words + word}]` : "",
          word === 0 ? String(e - set.first) : "",
          this.#rowCode(e, word, scope),
        ];
        variables.push(`${key(e, word)} = ${terms.filter((term) => term !== "").join(" | ") || "0"}`);
      }
    const isSorted = sets.flatMap(({ first, size }) =>
      Array.from({ length: size - 1 }, (_, i) => `!(${this.#isGreater(first + i, first + i + 1)})`),
    );
    const sorting = sets.flatMap(({ first, size }) =>
      sortingNetwork(size).map(([a, b]) => this.#exchange(first + a, first + b)),
    );
    const body = [
      text.declarations(),
      ...(this.marks.length > 0 ? ["KEY.fill(0);"] : []),
      ...this.marks.map((mark) => this.#markLine(mark, scope)),
      `let ${variables.join(",\n  ")};`,
      `if (${isSorted.join(" && ") || "true"}) return;`,
      ...sorting,
      ...this.#writeRows(),
      ...this.#writeMarks(scope),
    ];
    const arrays =
      this.marks.length > 0
        ? `const KEY = new Int32Array(${count * this.words}), RENAMED = new Int32Array(${count});\n`
        : "";
    return arrays + block("function canonicalise(w, o)", body.join("\n"));
  }

  #rowCode(element: number, word: number, scope: Scope): string {
    return this.rows
      .filter((row) => row.word === word && element >= row.first && element < row.first + row.size) // sound: test/transforms/symmetry/representatives.test.ts
      .map((row) => `${emitColumnCode(row.column, row.indicesOf(element), scope)} << ${row.shift}`)
      .join(" | ");
  }

  #markLine({ column, indices, start, size, first, word, shift }: Mark, scope: Scope): string {
    const code = emitColumnCode(column, indices, scope);
    return `t = ${code} - ${start + 1}; if (t >= 0 && t < ${size}) KEY[(t + ${first}) * ${this.words} + ${word}] |= ${(1 << shift) | 0};`; // sound: test/transforms/symmetry/representatives.test.ts
  }

  /** Compares two keys, the last words first: numbers of elements are lowest. */
  #isGreater(a: number, b: number): string {
    return Array.from({ length: this.words }, (_, word) => [key(a, word), key(b, word)]).reduce(
      (lower, [x, y]) => (lower === "" ? `${x} > ${y}` : `${x} > ${y} || ${x} === ${y} && (${lower})`),
      "",
    );
  }

  #exchange(a: number, b: number): string {
    if (this.words === 1) {
      const [x, y] = [key(a, 0), key(b, 0)];
      return `t = Math.min(${x}, ${y}); ${y} = Math.max(${x}, ${y}); ${x} = t;`;
    }
    const swaps = Array.from(
      { length: this.words },
      (_, word) => `t = ${key(a, word)}; ${key(a, word)} = ${key(b, word)}; ${key(b, word)} = t;`,
    );
    return `if (${this.#isGreater(a, b)}) { ${swaps.join(" ")} }`;
  }

  /** All fields of a word of the state at once. */
  #writeRows(): string[] {
    const fields = new Map<number, { mask: number; codes: string[] }>();
    for (const { column, first, size, word, shift, indicesOf } of this.rows)
      for (let e = first; e < first + size; e++) {
        const place = bitPlace(column, ordinalOf(column, indicesOf(e)));
        const mask = maskOf(place.bits);
        const field = fields.get(place.word) ?? { mask: 0, codes: [] };
        field.mask |= mask << place.shift;
        field.codes.push(`(${key(e, word)} >>> ${shift} & ${mask}) << ${place.shift}`);
        fields.set(place.word, field);
      }
    return [...fields].map(([word, { mask, codes }]) => {
      const kept = mask === -1 ? [] : [`w[o + ${word}] & ${~mask}`];
      return `w[o + ${word}] = ${[...kept, ...codes].join(" | ")};`;
    });
  }

  #writeMarks(scope: Scope): string[] {
    const marked = this.#elements.sets.filter(({ first }) => this.marks.some((m) => m.first === first));
    const renamed = marked.flatMap(({ first, size }) =>
      Array.from({ length: size }, (_, i) => {
        const number = (1 << bitsForNumber(size)) - 1;
        return `RENAMED[(${key(first + i, 0)} & ${number}) + ${first}] = ${i};`;
      }),
    );
    const lines = this.marks.map(({ column, indices, start, size, first }) => {
      const code = `RENAMED[t + ${first}] + ${start + 1}`;
      return `t = ${emitColumnCode(column, indices, scope)} - ${start + 1}; if (t >= 0 && t < ${size}) { ${emitColumnPut(column, indices, code, scope)} }`; // sound: test/transforms/symmetry/representatives.test.ts
    });
    return [...renamed, ...lines];
  }
}

/** Larger functions are compiled slowly, and variables do not fit into registers anyway. */
const MOST_VARIABLES = 64;

const key = (element: number, word: number): string => `k${element}_${word}`;

const bitsForNumber = (size: number): number => 32 - Math.clz32(size - 1);

/** Position of the next bits of a key. */
class KeyLayout {
  words = 1;
  #used: number;

  constructor(reserved: number) {
    this.#used = reserved;
  }

  take(bits: number): { readonly word: number; readonly shift: number } {
    // sound: test/transforms/symmetry/representatives.test.ts
    if (this.#used + bits > 32) {
      this.words++;
      this.#used = 0;
    }
    const shift = this.#used;
    this.#used += bits;
    return { word: this.words - 1, shift };
  }
}

/** Batcher's odd-even merging: exchanges that sort any list of that length (Knuth, volume 3, 5.2.2, algorithm M). */
export function sortingNetwork(length: number): [number, number][] {
  const exchanges: [number, number][] = [];
  for (let p = 1; p < length; p *= 2)
    for (let k = p; k >= 1; k /= 2)
      for (let j = k % p; j + k < length; j += 2 * k)
        for (let i = j; i < Math.min(j + k, length - k); i++)
          if (Math.floor(i / (2 * p)) === Math.floor((i + k) / (2 * p))) exchanges.push([i, i + k]); // sound: test/transforms/symmetry/representatives.test.ts
  return exchanges;
}

/** All combinations of indices. */
export const tuples = (dimensions: readonly Dimension[]): number[][] =>
  dimensions.reduce<number[][]>(
    (all, { length }) => all.flatMap((before) => Array.from({ length }, (_, i) => [...before, i])),
    [[]],
  );

export const scopeOf = (text: FunctionText, array: string, base: string): Scope => ({
  text,
  array,
  base,
  bindings: new Map(),
  body: { kind: "condition" },
});
