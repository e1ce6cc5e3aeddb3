/**
 * The text of the tree store's hot operations for states of one width.
 *
 * A successor differs from its source in a few words. So the nodes of the loaded state are kept, and a node of a successor
 * is looked up only if one of its parts is another one; for most successors that is one path through the tree.
 */
import type { LoopCode } from "./loop-code.js";
import { emitHashPair, emitHome } from "./tree-hash.js";
import { emitClaim } from "./store-code.js";
import type { Part, TreeShape } from "./tree-shape.js";
import type { TreeStore } from "./tree-store.js";

/** The keys of a list that is being looked up, three words each, and where they belong. */
class KeyBuffer {
  keys: Int32Array;
  slots: Int32Array;
  room = 342;
  readonly #allocate: (length: number) => Int32Array;

  constructor(allocate: (length: number) => Int32Array) {
    this.#allocate = allocate;
    this.keys = allocate(3 * this.room);
    this.slots = allocate(this.room);
  }

  /** Room for a longer list; the keys made so far stay. */
  reserve(length: number): void {
    const keys = this.keys;
    this.room = 2 * length;
    this.keys = this.#allocate(3 * this.room);
    this.keys.set(keys);
    this.slots = this.#allocate(this.room);
  }
}

export function treeCode(store: TreeStore): LoopCode {
  const { shape, width, keepsLog, chunkBits, isShared, hashMask } = store;
  return {
    bindings: {
      current: new Int32Array(Math.max(1, width)),
      source: new Int32Array(shape.nodes.length),
      buffer: new KeyBuffer((length) => store.newArray(length)),
    },
    head: [
      emitNodes(isShared, hashMask),
      emitLoad(shape),
      ...[true, false].map((isRelative) => emitKeys(shape, width, isRelative, hashMask)),
    ].join("\n"),
    locals: `
const set = store.set, places = store.places, room = store.room;
let count = store.count;
pairs = store.pairs; index = store.index; indexMask = store.indexMask; nodes = store.nodes; nodeRoom = store.nodeRoom;
${
  keepsLog
    ? `const ownIndex = room >>> ${chunkBits}, ownFirst = ownIndex << ${chunkBits};
const ownLog = store.log[ownIndex], ownParents = store.parents[ownIndex];`
    : ""
}`,
    load: ([left, right]) => `load(${left}, ${right}); const from = current, fromAt = 0;`,
    loadNumbered: `
const logged = store.log[id >>> ${chunkBits}], loggedAt = 2 * (id & ${(1 << chunkBits) - 1});
load(logged[loggedAt], logged[loggedAt + 1]);
const from = current, fromAt = 0;`,
    // sound: test/engines/stores/conditions.test.ts
    note: `if (!offered.isFlagged && offered.stride === ${width}) makeKeys(offered.words, first, offered.count);`,
    prepare: (isNoted, onFailure) => `
// sound: test/engines/stores/conditions.test.ts
if (!(${isNoted})) {
  makeAllKeys(words, 0, length);
}
// sound: test/engines/stores/conditions.test.ts
if (store.hasFailed) ${onFailure}
const keys = buffer.keys, slots = buffer.slots;
let touched = 0;
// sound: test/engines/stores/conditions.test.ts
for (let i = 0; i < length; i++) {
  const slot = ${emitHome("keys[3 * i + 2]", "places")};
  slots[i] = slot;
  touched ^= set[2 * slot];
}`,
    entry: (i) => `const left = keys[3 * (${i})], right = keys[3 * (${i}) + 1], home = slots[${i}];`,
    find: (onFound) => `
let slot = home;
// sound: test/engines/stores/conditions.test.ts
for (let l = set[2 * slot]; l !== 0; l = set[2 * slot]) {
  // sound: test/engines/stores/conditions.test.ts
  if (l === left) {
    ${emitRight(isShared)}
    // sound: test/engines/stores/conditions.test.ts
    if (r === right) ${onFound}
  }
  // sound: test/engines/stores/conditions.test.ts
  if (++slot === places) slot = 0;
}`,
    // sound: test/engines/stores/conditions.test.ts
    isFull: `count === room`,
    insert: (parent, _position, onLost = "") => `
${
  keepsLog
    ? `ownLog[2 * (count + 1 - ownFirst)] = left;
ownLog[2 * (count + 1 - ownFirst) + 1] = right;
ownParents[count + 1 - ownFirst] = ${parent};`
    : ""
}
${emitClaim(isShared, "set", "2 * slot", "left", onLost)}
${isShared ? "Atomics.store(set, 2 * slot + 1, right);" : "set[2 * slot + 1] = right;"}
count++;`,
    ref: ["left", "right"],
    wait: (to, toAt) => `${to}[${toAt}] = left; ${to}[${toAt} + 1] = right;`,
    resume: (from, fromAt) => `
const left = ${from}[${fromAt}], right = ${from}[${fromAt} + 1];
${emitHashPair("hash", "left", "right", hashMask)}
const home = ${emitHome("hash", "places")};`,
  };
}

/** The right half of the root whose left half is at `slot`. Another thread may have claimed the place and not written it yet. */
const emitRight = (isShared: boolean): string =>
  isShared
    ? `let r = set[2 * slot + 1];
    // sound: test/engines/parallel/tables.test.ts
    while (r === 0) r = Atomics.load(set, 2 * slot + 1);`
    : "const r = set[2 * slot + 1];";

/** Looking nodes up, with the store's fields in variables. A pair is written before the index leads to it. */
const emitNodes = (isShared: boolean, hashMask: number): string => `
let pairs = store.pairs, index = store.index, indexMask = store.indexMask, nodes = store.nodes, nodeRoom = store.nodeRoom;

function intern(left, right) {
  ${emitHashPair("hash", "left", "right", hashMask)}
  let slot = hash & indexMask;
  for (;;) {
    // sound: test/engines/stores/conditions.test.ts
    for (let entry = index[slot]; entry !== 0; entry = index[slot]) {
      // sound: test/engines/stores/conditions.test.ts
      if (((entry ^ hash) & ~indexMask) === 0) {
        const id = entry & indexMask;
        // sound: test/engines/stores/conditions.test.ts
        if (pairs[2 * id] === left && pairs[2 * id + 1] === right) return id;
      }
      slot = (slot + 1) & indexMask;
    }
    // sound: test/engines/stores/conditions.test.ts
    if (nodes === nodeRoom) return makeRoom(left, right);
    pairs[2 * nodes + 2] = left;
    pairs[2 * nodes + 3] = right;
    ${emitClaim(isShared, "index", "slot", "(hash & ~indexMask) | (nodes + 1)", "continue;")}
    nodes++;
    return nodes;
  }
}

function makeRoom(left, right) {
  store.nodes = nodes;
  // sound: test/engines/stores/conditions.test.ts
  if (!store.growNodes()) {
    store.hasFailed = true;
    return 0;
  }
  pairs = store.pairs;
  index = store.index;
  indexMask = store.indexMask;
  nodes = store.nodes;
  nodeRoom = store.nodeRoom;
  return intern(left, right);
}`;

/** Writes the words of a root to `current`, and the nodes it is made of to `source`. */
function emitLoad(shape: TreeShape): string {
  const lines: string[] = [];
  const open = (part: Part, value: string): void => {
    if (part.kind === "word") lines.push(`current[${part.word}] = ${value};`);
    if (part.kind !== "node") return;
    const name = `n${part.node}`;
    lines.push(`const ${name} = ${value}; source[${part.node}] = ${name};`);
    const { left, right } = shape.nodes[part.node]!;
    open(left, `pairs[2 * ${name}]`);
    open(right, `pairs[2 * ${name} + 1]`);
  };
  open(shape.left, "left");
  open(shape.right, "right");
  return `function load(left, right) {\n  ${lines.join("\n  ")}\n}`;
}

/**
 * For the entries from `first` to before `end`: both halves of the root, and its hash. `makeKeys` for successors of the loaded
 * state; `makeAllKeys` for any. They look nodes up by `intern`.
 */
function emitKeys(shape: TreeShape, width: number, isRelative: boolean, hashMask: number): string {
  const old = (part: Part): string => name(part, "s", "n");
  const now = (part: Part): string => name(part, "w", "m");
  const sources = isRelative
    ? [
        ...Array.from({ length: width }, (_, k) => `s${k} = current[${k}]`),
        ...shape.nodes.map((_, k) => `n${k} = source[${k}]`),
      ]
    : [];
  const words = Array.from({ length: width }, (_, k) => `w${k} = words[at + ${k}]`);
  const nodes = shape.nodes.map(({ left, right }, k) => {
    const intern = `intern(${now(left)}, ${now(right)})`;
    // sound: test/engines/stores/conditions.test.ts
    if (!isRelative) return `const m${k} = ${intern};`;
    // sound: test/engines/stores/conditions.test.ts
    return `const m${k} = ${now(left)} === ${old(left)} && ${now(right)} === ${old(right)} ? n${k} : ${intern};`;
  });
  return `
function ${isRelative ? "makeKeys" : "makeAllKeys"}(words, first, end) {
  // sound: test/engines/stores/conditions.test.ts
  if (end > buffer.room) buffer.reserve(end);
  const keys = buffer.keys;
  ${sources.length > 0 ? `const ${sources.join(", ")};` : ""}
  // sound: test/engines/stores/conditions.test.ts
  for (let i = first; i < end; i++) {
    const at = i * ${width};
    ${words.length > 0 ? `const ${words.join(", ")};` : ""}
    ${nodes.join("\n    ")}
    const left = ${now(shape.left)}, right = ${now(shape.right)};
    ${emitHashPair("hash", "left", "right", hashMask)}
    keys[3 * i] = left;
    keys[3 * i + 1] = right;
    keys[3 * i + 2] = hash;
  }
  store.nodes = nodes;
}`;
}

function name(part: Part, word: string, node: string): string {
  if (part.kind === "word") return `${word}${part.word}`;
  return part.kind === "node" ? `${node}${part.node}` : "0";
}
