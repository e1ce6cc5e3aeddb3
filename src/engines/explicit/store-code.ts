/**
 * The text of the store's hot operations for states of one width, for the search loops to be built around.
 *
 * Text, because the loops are instantiated for each run: the width is a constant in them, hashing, comparing and copying
 * are unrolled, and nothing in them has ever seen another model's types. The same loops over a variable width take 15 %
 * more processor time (`bench/core.ts`, breadth-first, 14 M states of 7 words).
 */
import { compileFunction } from "node:vm";
import { emitHash, hashMultipliers } from "./hash.js";

/** Parameters of the text. */
export interface StoreShape {
  readonly width: number;
  readonly compareFrom: number;
  readonly chunkBits: number;
  /** All chunks have this width. */
  readonly isUniform: boolean;
  readonly keepsParents: boolean;
  /** Other threads read and write the table at the same time. */
  readonly isShared?: boolean;
}

/** Enters the states with the ids from `first` to before `end`; `words` starts with the state of id `start`. */
export type TableFiller = (
  words: Int32Array,
  start: number,
  first: number,
  end: number,
  into: { readonly table: Int32Array; readonly mask: number; readonly ownMask: number },
) => void;

/** In batches, so that the cache misses overlap: at 14 M states 1.3 s instead of 2.3 s one by one. */
export function tableFiller(width: number, compareFrom: number): TableFiller {
  return instantiate<TableFiller>(
    "fill the hash table",
    { hashes: new Int32Array(FILL_BATCH), multipliers: hashMultipliers(width) },
    `
return function fill(words, start, first, end, { table, mask, ownMask }) {
  // sound: test/engines/stores/conditions.test.ts
  for (let batch = first; batch < end; batch += hashes.length) {
    const length = Math.min(hashes.length, end - batch);
    // sound: test/engines/stores/conditions.test.ts
    for (let i = 0, at = (batch - start) * ${width}; i < length; i++, at += ${width}) {
      ${emitHash(width, compareFrom)}
      hashes[i] = hash;
    }
    let touched = 0;
    for (let i = 0; i < length; i++) touched ^= table[hashes[i] & mask];
    // sound: test/engines/stores/conditions.test.ts
    for (let i = 0; i < length; i++) {
      const hash = hashes[i];
      let slot = hash & mask;
      // sound: test/engines/stores/conditions.test.ts
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = (hash & ~mask) | (batch + i);
    }
    hashes[0] = touched; // so that the reads are not optimised away
  }
};`,
  );
}

/** Declares the store's arrays as locals; to be repeated after the store grew. */
export const emitStoreLocals = (shape: StoreShape): string => `
const table = store.table, mask = store.mask, tagMask = ~mask, ownMask = store.ownMask;
const chunks = store.chunks;
${shape.isUniform ? "" : "const strides = store.strides;"}
const room = store.room;
let count = store.count;
// The states that still fit before the store grows all go to one chunk.
const ownIndex = room >>> ${shape.chunkBits}, ownFirst = ownIndex << ${shape.chunkBits}, ownChunk = chunks[ownIndex];
${shape.keepsParents ? "const ownParents = store.parents[ownIndex];" : ""}`;

/**
 * Looks for the state at `words[at…]` with that `hash`; runs `onFound` (which must jump away) when it is in the store;
 * otherwise continues with `slot` as the free place for it.
 */
export const emitFind = (shape: StoreShape, onFound: string): string => `
let slot = hash & mask;
// sound: test/engines/stores/conditions.test.ts
for (let entry = table[slot]; entry !== 0; entry = table[slot]) {
  // sound: test/engines/stores/conditions.test.ts
  if (((entry ^ hash) & tagMask) === 0) {
    const id = entry & mask;
    const chunk = chunks[id >>> ${shape.chunkBits}];
    ${emitMatch(shape, onFound)}
  }
  slot = (slot + 1) & mask;
}`;

/**
 * Enters the state at `words[at…]` at the free place that `emitFind` left in `slot`; runs `onLost` (which must jump away, to look again) when
 * another thread was faster, perhaps with the same state. The state is written before its place is claimed: a thread that sees the entry sees the
 * state.
 */
export const emitInsert = (shape: StoreShape, parent = "", onLost = ""): string => `
const there = (count + 1 - ownFirst) * ${shape.width};
${emitCopy(shape.width, "ownChunk", "there", "words", "at")}
${shape.keepsParents ? `ownParents[count + 1 - ownFirst] = ${parent};` : ""}
${emitClaim(shape.isShared ?? false, "table", "slot", "(hash & tagMask) | (count + 1)", onLost)}
count++;`;

/** Writes `value` to the free place `array[at]`; runs `onLost` when another thread has taken it. */
export const emitClaim = (
  isShared: boolean,
  array: string,
  at: string,
  value: string,
  onLost: string,
): string =>
  // sound: test/engines/parallel/tables.test.ts
  isShared
    ? `if (Atomics.compareExchange(${array}, ${at}, 0, ${value}) !== 0) ${onLost}`
    : `${array}[${at}] = ${value};`;

/**
 * Adds to `touched`: prefetches the table entries for the first `length` of `hashes`, then the states they point to. Both
 * loops are short and without branches, so that the processor has many misses in flight at once; a state whose tag differs is
 * replaced by id 0. Worth 17 % breadth-first and 13 % depth-first (`bench/core.ts`, 14 M states of 7 words).
 */
export const emitTouch = (shape: StoreShape): string => `
for (let i = 0; i < length; i++) touched ^= table[hashes[i] & mask];
for (let i = 0; i < length; i++) {
  const hash = hashes[i], entry = table[hash & mask], difference = (entry ^ hash) & tagMask;
  const id = entry & mask & ~((difference | -difference) >> 31);
  const chunk = chunks[id >>> ${shape.chunkBits}], there = (id & ${chunkMask(shape)}) * ${
    shape.isUniform ? shape.width : `strides[id >>> ${shape.chunkBits}]`
  };
  touched ^= ${touchedWords(shape)
    .map((k) => `chunk[there + ${k}]`)
    .join(" ^ ")};
}`;

/** A word on each cache line of a state; of a state that may be narrower only the first. */
function touchedWords({ width, isUniform }: StoreShape): number[] {
  if (!isUniform) return [0];
  const words = [];
  for (let k = 0; k < width - 1; k += 16) words.push(k);
  return [...words, width - 1];
}

/** Declares `from` and `fromAt` as the words of state `id`, zero-extended in `widened` if it is narrower. */
export const emitLocate = (shape: StoreShape): string =>
  shape.isUniform
    ? `const from = chunks[id >>> ${shape.chunkBits}], fromAt = (id & ${chunkMask(shape)}) * ${shape.width};`
    : `
let from = chunks[id >>> ${shape.chunkBits}], fromAt = (id & ${chunkMask(shape)}) * strides[id >>> ${shape.chunkBits}];
// sound: test/engines/stores/conditions.test.ts
if (strides[id >>> ${shape.chunkBits}] !== ${shape.width}) {
  const stride = strides[id >>> ${shape.chunkBits}];
  // sound: test/engines/stores/conditions.test.ts
  for (let k = 0; k < ${shape.width}; k++) widened[k] = k < stride ? from[fromAt + k] : 0;
  from = widened;
  fromAt = 0;
}`;

/** `width`: a number, or the name of a variable. */
export function emitCopy(
  width: number | "width",
  to: string,
  toAt: string,
  from: string,
  fromAt: string,
): string {
  if (width === "width" || width > UNROLLED)
    // sound: test/engines/stores/conditions.test.ts test/engines/parallel/tables.test.ts
    return `for (let k = 0; k < ${width}; k++) ${to}[${toAt} + k] = ${from}[${fromAt} + k];`;
  const copies = [];
  // sound: test/engines/stores/conditions.test.ts test/engines/parallel/tables.test.ts
  for (let k = 0; k < width; k++) copies.push(`${to}[${toAt} + ${k}] = ${from}[${fromAt} + ${k}];`);
  return copies.join("\n");
}

/**
 * Evaluates the text with names bound to values. The serial number makes each text unique: V8 shares compiled code and its
 * type feedback between equal texts, and one run's loop would slow down the next one's.
 */
export function instantiate<T>(what: string, bindings: Readonly<Record<string, unknown>>, body: string): T {
  const text = `"use strict"; // ${what}, instance ${++instances}\n${body}`;
  // In processes that run code under test, code generation from strings is disabled; this is none of its doing.
  const make = compileFunction(text, Object.keys(bindings)) as (...values: unknown[]) => T;
  return make(...Object.values(bindings));
}

let instances = 0;

/** States of up to this many words are compared and copied word by word, wider ones in a loop. */
const UNROLLED = 24;

/** States that are entered together when the table is rebuilt. */
const FILL_BATCH = 256;

const chunkMask = (shape: StoreShape): number => (1 << shape.chunkBits) - 1;

function emitMatch(shape: StoreShape, onFound: string): string {
  const { width, compareFrom } = shape;
  const uniform = `const there = (id & ${chunkMask(shape)}) * ${width};
    ${emitEqual(width, compareFrom, onFound)}`;
  // sound: test/engines/stores/conditions.test.ts
  if (shape.isUniform) return uniform;
  return `const stride = strides[id >>> ${shape.chunkBits}];
    // sound: test/engines/stores/conditions.test.ts
    if (stride === ${width}) {
      ${uniform}
    } else {
      const there = (id & ${chunkMask(shape)}) * stride;
      let k = ${compareFrom};
      // sound: test/engines/stores/conditions.test.ts
      while (k < ${width} && (k < stride ? chunk[there + k] : 0) === words[at + k]) k++;
      // sound: test/engines/stores/conditions.test.ts
      if (k >= ${width}) ${onFound}
    }`;
}

function emitEqual(width: number, compareFrom: number, onFound: string): string {
  if (width > UNROLLED)
    return `let k = ${compareFrom};
    // sound: test/engines/stores/conditions.test.ts
    while (k < ${width} && chunk[there + k] === words[at + k]) k++;
    // sound: test/engines/stores/conditions.test.ts
    if (k >= ${width}) ${onFound}`;
  const equal = [];
  // sound: test/engines/stores/conditions.test.ts
  for (let k = compareFrom; k < width; k++) equal.push(`chunk[there + ${k}] === words[at + ${k}]`);
  // sound: test/engines/stores/conditions.test.ts
  return `if (${equal.join(" && ") || "true"}) ${onFound}`;
}
