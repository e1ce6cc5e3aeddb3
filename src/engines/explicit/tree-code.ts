/**
 * The text of the tree store's hot operations for states of one width.
 *
 * A successor differs from its source in a few words. So the nodes of the loaded state are kept, and a node of a successor
 * is looked up only if one of its parts is another one; for most successors that is one path through the tree.
 */
import type { LoopCode } from "./loop-code.js";
import { emitHashPair, emitHome } from "./tree-hash.js";
import { SLACK, type Part, type TreeShape } from "./tree-shape.js";
import type { TreeStore } from "./tree-store.js";

/** The keys of a list that is being looked up, three words each, and where they belong. */
export class KeyBuffer {
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
  const { shape, width, keepsLog, chunkBits, hashMask } = store;
  const isBare = shape.nodes.length === 0;
  return {
    bindings: {
      current: new Int32Array(Math.max(1, width)),
      source: new Int32Array(shape.nodes.length),
      buffer: new KeyBuffer((length) => store.newArray(length)),
    },
    head: [
      emitNodes(hashMask),
      emitLoad(shape),
      ...[true, false].map((isRelative) => emitKeys(shape, width, isRelative, undefined, hashMask)),
    ].join("\n"),
    locals: `
const set = store.set, limit = store.places + ${SLACK}, room = store.room;
let count = store.count;
${
  keepsLog
    ? `const log = store.log, parents = store.parents;
const lastFirst = (log.length - 1) << ${chunkBits}, lastLog = log[log.length - 1], lastParents = parents[log.length - 1];`
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
const keys = buffer.keys, slots = buffer.slots, places = store.places;
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
${isBare ? `if ((left | right) === 0) { if (store.hasZero) ${onFound} } else` : ""}
// sound: test/engines/stores/conditions.test.ts
for (let l = set[2 * slot], r = set[2 * slot + 1]; (l | r) !== 0; l = set[2 * slot], r = set[2 * slot + 1]) {
  // sound: test/engines/stores/conditions.test.ts
  if (l === left && r === right) ${onFound}
  slot++;
}`,
    // sound: test/engines/stores/conditions.test.ts
    isFull: `(count === room || slot >= limit && (store.isCrowded = true))`,
    insert: (parent) => `
count++;
// sound: test/engines/stores/conditions.test.ts
${isBare ? `if ((left | right) === 0) store.hasZero = true; else {` : ""}
set[2 * slot] = left;
set[2 * slot + 1] = right;
${isBare ? "}" : ""}
${
  keepsLog
    ? `lastLog[2 * (count - lastFirst)] = left;
lastLog[2 * (count - lastFirst) + 1] = right;
lastParents[count - lastFirst] = ${parent};`
    : ""
}`,
    ref: ["left", "right"],
    wait: (to, toAt) => `${to}[${toAt}] = left; ${to}[${toAt} + 1] = right;`,
    resume: (from, fromAt) => `
const left = ${from}[${fromAt}], right = ${from}[${fromAt} + 1];
${emitHashPair("hash", "left", "right", hashMask)}
const places = store.places, home = ${emitHome("hash", "places")};`,
  };
}

/** Looking nodes up, with the store's fields at hand. */
const emitNodes = (hashMask: number): string => `
let pairs = store.pairs, index = store.index, indexMask = store.indexMask, nodes = store.nodes, nodeRoom = store.nodeRoom;

function intern(left, right) {
  ${emitHashPair("hash", "left", "right", hashMask)}
  let slot = hash & indexMask;
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
  nodes++;
  index[slot] = (hash & ~indexMask) | nodes;
  pairs[2 * nodes] = left;
  pairs[2 * nodes + 1] = right;
  return nodes;
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
  nodeRoom = store.nodeRoom;
  return intern(left, right);
}`;

/** Writes the words of a root to `current`, and the nodes it is made of to `source`. */
export function emitLoad(shape: TreeShape): string {
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
export function emitKeys(
  shape: TreeShape,
  width: number,
  isRelative: boolean,
  after = "store.nodes = nodes;",
  hashMask?: number,
): string {
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
  ${after}
}`;
}

function name(part: Part, word: string, node: string): string {
  if (part.kind === "word") return `${word}${part.word}`;
  return part.kind === "node" ? `${node}${part.node}` : "0";
}
