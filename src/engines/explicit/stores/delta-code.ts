/**
 * The delta store's operations for the search loops, for links that are differences: looks states up, undoes their
 * differences and compares in place, for states of one width. Calls through `Backend` for each successor took 1.7 times the
 * time of the flat store at a distance of 5 (`bench/stores.ts`, leader election).
 *
 * The successors of a state are looked up together: all hashes, then all table entries, then the links of the states they
 * point to, so that the cache misses overlap. The rest of a chain is mostly near: depth-first, a state's number follows its
 * predecessor's.
 */
import { emitHash, hashMultipliers } from "../hash.js";
import type { LoopCode } from "../loop-code.js";
import { emitCopy } from "../store-code.js";
import type { DeltaStore } from "./delta.js";
import { emitMixed } from "./links.js";
import { PAGE_BITS, PAGE_MASK } from "./paged.js";

/** Inlines lookup and entry in place of the calls in `rest`. */
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
    head: `
let recentIds, recentWords, recentWays, recentMask;
${isQueued ? "" : emitLinkTo(width)}
${emitRemember(delta)}
${emitWayTo(delta)}
${delta.options.updatesPredecessors ? emitShorten : ""}`,
    locals: `
recentIds = delta.recent.ids; recentWords = delta.recent.words; recentWays = delta.recent.ways;
recentMask = recentIds.length - 1;
const table = delta.table, mask = table.length - 1, tagMask = ~mask, ownMask = delta.ownMask;
${rest.locals}`,
    prepare: (_, onFailure) => `
// sound: test/engines/stores/delta-store.test.ts
if (!delta.reserveLinks(length)) ${onFailure}
// sound: test/engines/stores/delta-store.test.ts
if (length > scratch.hashes.length) scratch.hashes = new Int32Array(2 * length);
const hashes = scratch.hashes;
let touched = 0;
// sound: test/engines/stores/delta-store.test.ts
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
    insert: (parent, position) =>
      isQueued
        ? `
delta.slot = slot;
delta.slotHash = hash;
${rest.insert(parent, position)}
remember(count, words, at, 0);`
        : emitPush(delta, parent),
    wait: (to, toAt) => `
${to}[${toAt}] = linkTo(words, at);
${emitCopy(width, to, `${toAt} + 1`, "words", "at")}`,
    resume: (from, fromAt) => `${rest.resume(from, fromAt)}\n${emitHash(width, compareFrom)}`,
  };
}

/** A state that waited on the stack has no position: then its parent is unknown, and it keeps the one it has. */
const emitFind = ({ options }: DeltaStore, onFound: string): string => `
let slot = hash & mask;
// sound: test/engines/stores/delta-store.test.ts
for (let entry = table[slot]; entry !== 0; entry = table[slot]) {
  // sound: test/engines/stores/delta-store.test.ts
  if (((entry ^ hash) & tagMask) === 0) {
    const id = entry & mask, way = wayTo(id, words, at);
    // sound: test/engines/stores/delta-store.test.ts
    if (way >= 0) {
      ${
        options.updatesPredecessors
          ? `const parentWay = (height - 1) % ${options.distance};
      // sound: test/engines/stores/delta-store.test.ts
      if (position >= 0 && parentWay + 1 < way)
        shorten(id, parentWay + 1, top0, words, at);`
          : ""
      }
      ${onFound}
    }
  }
  slot = (slot + 1) & mask;
}`;

/** Depth-first: the link from the top of the stack. */
const emitLinkTo = (width: number): string => `
function linkTo(words, at) {
  const from = store.top, records = differences.records, start = differences.starts[differences.count + 1];
  let end = start, hash = 0, value = 0;
  ${Array.from({ length: Math.min(width, UNROLLED) }, (_, k) => emitDifference(`${k}`)).join("\n  ")}
  // sound: test/engines/stores/delta-store.test.ts
  ${width > UNROLLED ? `for (let k = ${UNROLLED}; k < ${width}; k++) { ${emitDifference("k")} }` : ""}
  return differences.intern(start, end, hash);
}`;

const UNROLLED = 24;

const emitDifference = (k: string): string =>
  `value = from[${k}] ^ words[at + ${k}]; ` +
  // sound: test/engines/stores/delta-store.test.ts
  `if (value !== 0) { records[end++] = ${k}; records[end++] = value; hash = ${emitMixed("hash", k, "value")}; }`;

/** Depth-first: enters a state that is found from the top of the stack, and pushes it. */
const emitPush = ({ width, options }: DeltaStore, parent: string): string => `
// sound: test/engines/stores/delta-store.test.ts
const step = link > 0 ? link : linkTo(words, at), way = height % ${options.distance};
delta.count = ++count;
table[slot] = (hash & tagMask) | count;
// sound: test/engines/stores/delta-store.test.ts
parentPages[count >>> ${PAGE_BITS}][count & ${PAGE_MASK}] = way === 0 ? delta.keep(words, at, ${parent}) : ${parent};
// sound: test/engines/stores/delta-store.test.ts
linkPages[count >>> ${PAGE_BITS}][count & ${PAGE_MASK}] = way === 0 ? 0 : step;
const kept = store.top;
${emitCopy(width, "kept", "0", "words", "at")}
remember(count, words, at, way);`;

const emitRemember = ({ width, options }: DeltaStore): string => `
function remember(id, words, at, way) {
  ${options.forgets ? "return;" : ""}
  const place = id & recentMask, there = place * ${width};
  recentIds[place] = id;
  recentWays[place] = way;
  ${emitCopy(width, "recentWords", "there", "words", "at")}
}`;

/** The chain of `id` may have become shorter than remembered, and a longer one in its place would make a cycle. */
const emitShorten = `
function shorten(id, way, parent, words, at) {
  let known = 0;
  for (let s = id; delta.linkColumn.get(s) !== 0; s = delta.parents.get(s)) known++;
  // sound: test/engines/stores/delta-store.test.ts
  if (way < known) delta.relink(id, parent, linkTo(words, at));
  // sound: test/engines/stores/delta-store.test.ts
  if (recentIds[id & recentMask] === id) recentWays[id & recentMask] = Math.min(way, known);
}`;

/**
 * Upper bound on the links between state `id` and its explicit state; -1 if it differs from the one at `words[at…]`. Undoes
 * its links on a copy of the words up to a whole state.
 */
const emitWayTo = (delta: DeltaStore): string => `
function wayTo(id, words, at) {
  counters.comparisons++;
  // sound: test/engines/stores/delta-store.test.ts
  if (recentIds[id & recentMask] === id)
    // sound: test/engines/stores/delta-store.test.ts
    return isAt(recentWords, (id & recentMask) * ${delta.width}, words, at) ? recentWays[id & recentMask] : -1;
  let page = id >>> ${PAGE_BITS}, parents = parentPages[page], links = linkPages[page];
  let link = links[id & ${PAGE_MASK}], before = parents[id & ${PAGE_MASK}];
  // sound: test/engines/stores/delta-store.test.ts
  if (link === 0) {
    // sound: test/engines/stores/delta-store.test.ts
    if (!isExplicit(before, words, at)) return -1;
    remember(id, words, at, 0);
    return 0;
  }
  ${emitCopy(delta.width, "undone", "0", "words", "at")}
  const records = differences.records, starts = differences.starts;
  let walked = 0, way = 0;
  for (;;) {
    walked++;
    // sound: test/engines/stores/delta-store.test.ts
    for (let at = starts[link], end = starts[link + 1]; at < end; at += 2)
      undone[records[at]] ^= records[at + 1];
    // sound: test/engines/stores/delta-store.test.ts
    if (recentIds[before & recentMask] === before) {
      // sound: test/engines/stores/delta-store.test.ts
      if (!isAt(recentWords, (before & recentMask) * ${delta.width}, undone, 0)) return -1;
      way = walked + recentWays[before & recentMask];
      break;
    }
    // sound: test/engines/stores/delta-store.test.ts
    if (before >>> ${PAGE_BITS} !== page) {
      page = before >>> ${PAGE_BITS};
      parents = parentPages[page];
      links = linkPages[page];
    }
    link = links[before & ${PAGE_MASK}];
    before = parents[before & ${PAGE_MASK}];
    // sound: test/engines/stores/delta-store.test.ts
    if (link === 0) {
      // sound: test/engines/stores/delta-store.test.ts
      if (!isExplicit(before, undone, 0)) return -1;
      way = walked;
      break;
    }
  }
  counters.linksWalked += walked;
  if (walked > counters.longestChain) counters.longestChain = walked;
  remember(id, words, at, way);
  return way;
}

function isExplicit(place, words, at) {
  // sound: test/engines/stores/delta-store.test.ts
  if (place < ${delta.uniformFrom}) {
    // sound: test/engines/stores/delta-store.test.ts
    if (delta.isVector(place, words, at)) return true;
    counters.mismatches++;
    return false;
  }
  return isAt(vectorPages[place >>> ${PAGE_BITS}], place & ${PAGE_MASK}, words, at);
}

function isAt(known, there, words, at) {
  // sound: test/engines/stores/delta-store.test.ts
  for (let k = ${delta.options.compareFrom}; k < ${delta.width}; k++)
    // sound: test/engines/stores/delta-store.test.ts
    if (known[there + k] !== words[at + k]) {
      counters.mismatches++;
      return false;
    }
  return true;
}`;
