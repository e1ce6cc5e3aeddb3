/** Code that reads and writes single values of a state, as codes (see `layout.ts`). */
import type { SimpleType } from "../../../model/rules.js";
import { ALL_IN_ONE_WORD, bitPlace, bitsFor, ordinalStride, type BitPlace, type Column } from "../layout.js";
import type { Index, Located, Scope } from "./scope.js";

/** The code that a simple place holds: an expression. */
export function emitCode(place: Located, scope: Scope): string {
  switch (place.kind) {
    case "register":
      return place.name;
    case "state":
      if (place.node.kind !== "simple") throw new Error("only simple places have a code");
      return emitColumnCode(place.node.column, place.indices, scope);
    case "numbered": {
      const leaf = leafOf(place.leaf, place.offset);
      if (place.region === "memory") return `m[${leaf}]`;
      const bits = bitsFor(place.type as SimpleType);
      return extract(wordAt(scope, `LW[${leaf}]`), `LS[${leaf}]`, bits);
    }
  }
}

/** Writes a code, an expression that is evaluated once: a statement. */
export function emitPut(place: Located, code: string, scope: Scope): string {
  switch (place.kind) {
    case "register":
      return `${place.name} = ${code};`;
    case "state":
      if (place.node.kind !== "simple") throw new Error("only simple places have a code");
      return emitColumnPut(place.node.column, place.indices, code, scope);
    case "numbered": {
      const leaf = leafOf(place.leaf, place.offset);
      if (place.region === "memory") return `m[${leaf}] = ${code};`;
      const mask = maskOf(bitsFor(place.type as SimpleType));
      return `putLeaf(${scope.array}, ${scope.base || 0}, ${leaf}, ${mask}, ${code});`;
    }
  }
}

export function emitColumnCode(column: Column, indices: readonly Index[], scope: Scope): string {
  const where = ordinalCode(column, indices);
  if (typeof where === "number") return constantExtract(bitPlace(column, where), scope);
  if (column.perWordBits === ALL_IN_ONE_WORD)
    return extract(
      wordAt(scope, String(column.word)),
      sum(column.shift, times(where, column.stride)),
      column.bits,
    );
  const name = scope.text.fresh();
  const { word, shift } = computedPlace(column, name);
  return `(${name} = ${where}, ${extract(wordAt(scope, word), shift, column.bits)})`;
}

export function emitColumnPut(column: Column, indices: readonly Index[], code: string, scope: Scope): string {
  const where = ordinalCode(column, indices);
  if (typeof where === "number") return constantInsert(bitPlace(column, where), code, scope);
  const name = scope.text.fresh();
  const { word, shift } = computedPlace(column, name);
  const target = wordAt(scope, word);
  if (column.bits === 32) return `${name} = ${where}; ${target} = ${code};`; // sound: test/compile/rules/conditions.test.ts
  const at = scope.text.fresh();
  const clear = `${target} & ~(${maskOf(column.bits)} << ${at})`;
  const set = code === "0" ? "" : ` | (${code}) << ${at}`; // sound: test/compile/rules/conditions.test.ts
  return `${name} = ${where}; ${at} = ${shift}; ${target} = ${clear}${set};`;
}

/** `a[3]`, `w[o + 3]`. */
const wordAt = ({ array, base }: Scope, word: string): string =>
  `${array}[${base === "" ? word : word === "0" ? base : `${base} + ${word}`}]`;

export const maskOf = (bits: number): number => (bits === 32 ? -1 : 2 ** bits - 1); // sound: test/compile/rules/conditions.test.ts

export function constantExtract({ word, shift, bits }: BitPlace, scope: Scope): string {
  return extract(wordAt(scope, String(word)), String(shift), bits, shift + bits === 32);
}

export function constantInsert({ word, shift, bits }: BitPlace, code: string, scope: Scope): string {
  const target = wordAt(scope, String(word));
  if (bits === 32) return `${target} = ${code};`; // sound: test/compile/rules/conditions.test.ts
  const clear = `${target} & ${~(maskOf(bits) << shift)}`;
  if (code === "0") return `${target} = ${clear};`; // sound: test/compile/rules/conditions.test.ts
  const value = /^\d+$/.test(code) ? String((Number(code) << shift) | 0) : shiftLeft(code, shift);
  return `${target} = ${clear} | ${value};`;
}

const leafOf = (leaf: Index, offset: number): string => sum(offset, String(leaf));

function extract(word: string, shift: string, bits: number, isTop = false): string {
  if (bits === 32) return `(${word} >>> 0)`; // sound: test/compile/rules/conditions.test.ts
  const moved = shift === "0" ? word : `${word} >>> ${isName(shift) ? shift : `(${shift})`}`;
  return isTop ? `(${moved})` : `(${moved} & ${maskOf(bits)})`; // sound: test/compile/rules/conditions.test.ts
}

/** The place of value number `name`, a variable. */
function computedPlace(column: Column, name: string): { word: string; shift: string } {
  const { word, shift, stride, perWordBits } = column;
  if (perWordBits === ALL_IN_ONE_WORD) return { word: String(word), shift: sum(shift, times(name, stride)) }; // sound: test/compile/rules/conditions.test.ts
  const inWord = perWordBits === 0 ? "0" : times(`(${name} & ${(1 << perWordBits) - 1})`, stride); // sound: test/compile/rules/conditions.test.ts
  return { word: sum(word, `(${name} >>> ${perWordBits})`), shift: sum(shift, inWord) };
}

/** Which value of its column it is: a number, or an expression. */
function ordinalCode(column: Column, indices: readonly Index[]): number | string {
  let known = 0;
  const terms: string[] = [];
  indices.forEach((index, dimension) => {
    const stride = ordinalStride(column, dimension);
    if (typeof index === "number") known += index * stride;
    else terms.push(times(index, stride));
  });
  return terms.length === 0 ? known : sum(known, terms.join(" + "));
}

const sum = (known: number, rest: string): string =>
  known === 0 ? rest : rest === "0" ? String(known) : `${rest} + ${known}`;

const times = (value: string, factor: number): string =>
  factor === 1 ? value : `${isName(value) ? value : `(${value})`} * ${factor}`;

const shiftLeft = (code: string, shift: number): string =>
  shift === 0 ? `(${code})` : `(${code}) << ${shift}`;

const isName = (text: string): boolean => /^\w+$/.test(text);
