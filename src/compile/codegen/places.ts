/**
 * Places as JavaScript text: reads and writes variables and control fields, each in its bits of a word.
 *
 * An index that may be out of range calls `bad(site)`, a value that does not fit into a narrowed slot `wide(leaf,
 * value)`.
 */
import type { Expr, Place } from "../../model/index.js";
import { bitInSeries, type ScalarSlot, type Series, type Slot } from "../layout.js";
import { constantOf, slotOf } from "./constants.js";
import type { Emitter } from "./expressions.js";
import {
  based,
  deposit,
  extract,
  literal,
  positionOf,
  sum,
  truncated,
  within,
  word,
  type Position,
  type Scope,
} from "./scope.js";

export class Places {
  readonly #em: Emitter;

  constructor(em: Emitter) {
    this.#em = em;
  }

  load(place: Place, scope: Scope): string {
    const a = this.#address(place, scope);
    if (a.slot.bits === 0) return this.#constantSlot(a);
    return based(extract(word(scope, ...a.words), a.shift, a.slot.bits, a.slot.signed), a.slot.base);
  }

  /** A scalar without bits; its index is still checked. */
  #constantSlot({ slot, words, shift }: Address): string {
    // sound: test/compile/narrow.test.ts
    const indices = [...words, shift].filter((w) => /bad\(/.test(String(w)));
    return indices.length > 0 ? `(${indices.join(", ")}, ${slot.base})` : String(slot.base);
  }

  /**
   * Statement that assigns `value` (text), truncating. The value is evaluated before the index: the first of two faults
   * counts.
   */
  store(place: Place, value: string, scope: Scope): string {
    const a = this.#address(place, scope);
    // sound: test/compile/cases/values.test.ts test/compile/narrow.test.ts
    if (a.slot.narrowedLeaf === undefined) {
      if (!value.includes("bad(")) return this.#deposit(a, value, scope);
      const t = this.#em.temporary();
      return `${t} = ${value}; ${this.#deposit(a, t, scope)}`;
    }
    const [check, kept] = this.fit(a.slot, value);
    return a.slot.bits === 0
      ? `${check} ${this.#constantSlot(a)};`
      : `${check} ${this.#deposit(a, kept, scope)}`;
  }

  /** For a narrowed slot: statements that check that `value` fits, and the text to store after them. */
  fit(slot: ScalarSlot, value: string): [check: string, kept: string] {
    const cut = truncated(value, slot.declared.bits, slot.declared.signed);
    const known = literal(cut);
    if (known !== undefined) {
      const raw = known - slot.base;
      // sound: test/compile/narrow.test.ts
      const fits = raw >= 0 && raw < 2 ** slot.bits;
      return [fits ? "" : `wide(${slot.narrowedLeaf}, ${known});`, String(raw)];
    }
    const t = this.#em.temporary();
    // sound: test/compile/narrow.test.ts
    const isOutside = slot.bits === 0 ? `${t} !== 0` : `${t} >>> ${slot.bits} !== 0`;
    return [
      `${t} = ${based(cut, -slot.base)}; if (${isOutside}) wide(${slot.narrowedLeaf}, ${based(t, slot.base)});`,
      t,
    ];
  }

  #deposit({ slot, words, shift }: Address, value: string, scope: Scope): string {
    return this.#storeAt(scope, words, shift, slot.bits, value);
  }

  /** Reads a control field whose record starts at that word, or `bit` bits behind a position. */
  scalar(slot: ScalarSlot, scope: Scope, from: string | number | Position): string {
    const { word: w, shift } = place(from, slot.bit);
    return based(extract(word(scope, w), shift, slot.bits, slot.signed), slot.base);
  }

  setScalar(slot: ScalarSlot, scope: Scope, from: string | number | Position, value: string): string {
    const { word: w, shift } = place(from, slot.bit);
    return this.#storeAt(scope, [w], shift, slot.bits, based(value, -slot.base));
  }

  #storeAt(
    scope: Scope,
    words: readonly (string | number)[],
    shift: number | string,
    bits: number,
    value: string,
  ): string {
    const isPlain = (text: string | number): boolean => /^[\w +]+$/.test(String(text));
    if (bits === 32 || (words.every(isPlain) && isPlain(shift)))
      return deposit(word(scope, ...words), shift, bits, value);
    const k = this.#em.temporary();
    const at = scope.array === "w" ? sum("o", ...words) : sum(...words);
    if (isPlain(shift)) return `${k} = ${at}; ${deposit(`${scope.array}[${k}]`, shift, bits, value)}`;
    const t = this.#em.temporary();
    return `${k} = ${at}; ${t} = ${shift}; ${deposit(`${scope.array}[${k}]`, t, bits, value)}`;
  }

  #address(place: Place, scope: Scope): Address {
    const slots = place.scope === "global" ? this.#em.layout.globals : scope.record!.locals;
    let slot: Slot = slots[place.variable]!;
    let bit = slot.bit;
    const dynamicWords: string[] = place.scope === "global" ? [] : [scope.base];
    const dynamicBits: string[] = [];
    const checked: string[] = [];
    for (const step of place.path) {
      if (step.kind === "field") {
        slot = (slot as Slot & { kind: "record" }).fields[step.field]!;
        bit += slot.bit;
        continue;
      }
      const array: Slot & { kind: "array" } = slot as Slot & { kind: "array" };
      const index = this.index(step, scope);
      if (typeof index === "number") bit += bitInSeries(array, index);
      else {
        const [words, bits] = this.inSeries(array, this.#inOrder(index, place, checked), array.length);
        dynamicWords.push(...words);
        dynamicBits.push(...bits);
      }
      slot = array.element;
      bit += slot.bit;
    }
    if (slot.kind !== "scalar") throw new Error("a place ends in a scalar");
    const shift = dynamicBits.length === 0 ? bit & 31 : sum(...dynamicBits, bit & 31);
    const first = checked.length > 0 ? [`(${checked.join(", ")}, 0)`] : [];
    return { slot, words: [...first, ...dynamicWords, bit >> 5], shift };
  }

  /** Checks several indices from left to right, regardless of their order in the address: evaluates all before it. */
  #inOrder(index: string, place: Place, checked: string[]): string {
    const isAlone = place.path.filter(({ kind }) => kind === "index").length < 2;
    if (isAlone || !index.includes("bad(")) return index;
    const t = this.#em.temporary();
    checked.push(`${t} = ${index}`);
    return t;
  }

  /** Words and bits to add for element `index` (text) of a series of `length`. */
  inSeries(series: Series, index: string, length: number): [words: string[], bits: string[]] {
    const { stride, perWord } = series;
    // sound: test/compile/cases/values.test.ts
    if (stride % 32 === 0 && stride > 0) return [[times(index, stride / 32)], []];
    // sound: test/compile/cases/values.test.ts
    if (length <= perWord) return [[], [times(index, stride)]];
    const t = this.#em.temporary();
    const set = `(${t} = ${index})`;
    if (Number.isInteger(Math.log2(perWord)))
      return [[`(${set} >> ${Math.log2(perWord)})`], [times(`(${t} & ${perWord - 1})`, stride)]];
    return [[`(${set} / ${perWord} | 0)`], [times(`${t} % ${perWord}`, stride)]];
  }

  /** An index, checked against the length unless known to be in range. */
  index(step: Place["path"][number] & { kind: "index" }, scope: Scope): number | string {
    const known = constantOf(step.index, this.#em.layout, scope);
    // sound: test/compile/cases/values.test.ts test/compile/faults.test.ts
    if (known !== undefined && known >= 0 && known < step.length) return known;
    const text = this.#em.value(step.index, scope);
    if (this.#fitsBelow(step.index, step.length, scope)) return text;
    const t = this.#em.temporary();
    // sound: test/compile/cases/values.test.ts
    return `((${t} = ${text}) >>> 0 < ${step.length} ? ${t} : ${this.#em.bad(step.site)})`;
  }

  /** Does the width of the variable keep the index in range? */
  #fitsBelow(e: Expr, length: number, scope: Scope): boolean {
    if (e.kind !== "load") return false;
    const { bits, signed, base } = slotOf(e.place, this.#em.layout, scope);
    // sound: test/compile/cases/values.test.ts test/compile/narrow.test.ts test/compile/conditions.test.ts
    return !signed && base + 2 ** bits <= length;
  }
}

interface Address {
  readonly slot: ScalarSlot;
  readonly words: readonly (string | number)[];
  /** Bit in the word: text if known only at run time. */
  readonly shift: number | string;
}

/** The position `bit` bits behind the word or position. */
const place = (from: string | number | Position, bit: number): Position =>
  typeof from === "object" ? within(from, bit) : positionOf(from, bit);

const times = (text: string, factor: number): string => (factor === 1 ? text : `${text} * ${factor}`);
