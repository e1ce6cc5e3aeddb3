/**
 * The delta store's operations as the search loops want them, for links that are differences: looking states up, undoing
 * their differences and comparing in place, for states of one width. Calls through `Backend` for each successor took
 * 1.7 times the time of the flat store at a distance of 5 (`bench/stores.ts`, leader election).
 *
 * The successors of a state are looked up together: all hashes, then all table entries, then the links of the states they
 * point to, so that the cache misses overlap. The rest of a way is mostly near: depth-first, a state's number follows its
 * predecessor's.
 */
import { emitHash, hashMultipliers } from "../hash.js";
import type { LoopCode } from "../loop-code.js";
import { emitCopy } from "../store-code.js";
import type { DeltaStore } from "./delta.js";
import { PAGE_BITS, PAGE_MASK } from "./paged.js";

/** What concerns looking up and entering is put in the place of the calls that `rest` has for it. */
export function deltaCode(delta: DeltaStore, isQueued: boolean, rest: LoopCode): LoopCode {
  const { width } = delta;
  const { compareFrom } = delta.options;
  return {
    ...rest,
    bindings: {
      ...rest.bindings,
      delta,
      parentPages: delta.parents.pages,
      linkPages: delta.linkColumn.pages,
      vectorPages: delta.vectors.pages,
      differences: delta.links,
      counters: delta.counters,
      multipliers: hashMultipliers(width),
      undone: new Int32Array(width),
      scratch: { hashes: new Int32Array(256) },
    },
    head: emitWayTo(delta),
    locals: `
const table = delta.table, mask = table.length - 1, tagMask = ~mask, ownMask = delta.ownMask;
${rest.locals}`,
    prepare: (_, onFailure) => `
if (!delta.reserveLinks(length)) ${onFailure}
if (length > scratch.hashes.length) scratch.hashes = new Int32Array(2 * length);
const hashes = scratch.hashes;
let touched = 0;
for (let i = 0, at = 0; i < length; i++, at += ${width}) {
  ${emitHash(width, compareFrom)}
  hashes[i] = hash;
}
for (let i = 0; i < length; i++) touched ^= table[hashes[i] & mask];
for (let i = 0; i < length; i++) {
  const hash = hashes[i], entry = table[hash & mask], difference = (entry ^ hash) & tagMask;
  const id = entry & mask & ~((difference | -difference) >> 31);
  touched ^= linkPages[id >>> ${PAGE_BITS}][id & ${PAGE_MASK}] ^ parentPages[id >>> ${PAGE_BITS}][id & ${PAGE_MASK}];
}`,
    entry: (i) => `${rest.entry(i)}\nconst hash = hashes[${i}];`,
    find: (onFound) => emitFind(delta, onFound),
    insert: (parent, position) => `
delta.slot = slot;
delta.slotHash = hash;
${
  isQueued
    ? rest.insert(parent, position)
    : `const entered = store.push(words, at, position, link, ${parent}, height, true); count = store.count;`
}`,
    resume: (from, fromAt) => `${rest.resume(from, fromAt)}\n${emitHash(width, compareFrom)}`,
  };
}

/** A state that waited on the stack has no position: then its parent is not at hand, and it keeps the one it has. */
const emitFind = ({ options }: DeltaStore, onFound: string): string => `
let slot = hash & mask;
for (let entry = table[slot]; entry !== 0; entry = table[slot]) {
  if (((entry ^ hash) & tagMask) === 0) {
    const id = entry & mask, way = wayTo(id, words, at);
    if (way >= 0) {
      ${
        options.updatesPredecessors
          ? `if (way > 1 && position >= 0 && (height - 1) % ${options.distance} + 1 < way)
        delta.relink(id, top0, store.linkTo(words, at, position));`
          : ""
      }
      ${onFound}
    }
  }
  slot = (slot + 1) & mask;
}`;

/** How many links lie between state `id` and its explicit state, or -1 if it is not the one at `words[at…]`. */
const emitWayTo = (delta: DeltaStore): string => `
function wayTo(id, words, at) {
  counters.comparisons++;
  let page = id >>> ${PAGE_BITS}, parents = parentPages[page], links = linkPages[page];
  let link = links[id & ${PAGE_MASK}], before = parents[id & ${PAGE_MASK}];
  if (link === 0) {
    ${emitCompare(delta, "words", "at", "0")}
  }
  ${emitCopy(delta.width, "undone", "0", "words", "at")}
  const records = differences.records, starts = differences.starts;
  let walked = 0;
  do {
    walked++;
    for (let at = starts[link], end = starts[link + 1]; at < end; at += 2)
      undone[records[at]] ^= records[at + 1];
    if (before >>> ${PAGE_BITS} !== page) {
      page = before >>> ${PAGE_BITS};
      parents = parentPages[page];
      links = linkPages[page];
    }
    link = links[before & ${PAGE_MASK}];
    before = parents[before & ${PAGE_MASK}];
  } while (link !== 0);
  counters.linksWalked += walked;
  if (walked > counters.longestChain) counters.longestChain = walked;
  ${emitCompare(delta, "undone", "0", "walked")}
}`;

/** Returns `walked` if the explicit state at place `before` is the one at `words[at…]`, else -1. */
const emitCompare = (delta: DeltaStore, words: string, at: string, walked: string): string => `
if (before < ${delta.uniformFrom}) {
  if (delta.isVector(before, ${words}, ${at})) return ${walked};
  counters.mismatches++;
  return -1;
}
const vector = vectorPages[before >>> ${PAGE_BITS}], there = before & ${PAGE_MASK};
for (let k = ${delta.options.compareFrom}; k < ${delta.width}; k++)
  if (vector[there + k] !== ${words}[${at} + k]) {
    counters.mismatches++;
    return -1;
  }
return ${walked};`;
