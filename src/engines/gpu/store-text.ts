/**
 * The store on a device, as text: what stands where, how a state is entered and found, and the kernels that rebuild, search and test it.
 *
 * A *key* is what is stored for a state: its words, or the pair at the root of its tree (`tree-text.ts`).
 */
import { CHUNKS, MOST_LOCATED, PARTS, Result } from "./results.js";
import { TREE_FIELDS, TREE_PARAMETERS, TREE_SETTING, emitRecode, emitTree } from "./tree-text.js";

export interface StoreShape {
  readonly width: number;
  readonly isTree: boolean;
  /** States in a chunk of the store. */
  readonly chunkStates: number;
}

/** Words of a key. */
export const keyWidth = ({ width, isTree }: Pick<StoreShape, "width" | "isTree">): number =>
  isTree ? 2 : width;

/** The structure `X`: the store and what a work item knows beside the model. */
export const emitSearchFields = (isTree: boolean): string => `typedef struct {
  ${each(CHUNKS, (c) => `__global int *store${c};`)}
  ${each(PARTS, (part) => `__global volatile ulong *table${part};`)}
  ulong entries;
  __global volatile ulong *results;
  __global uint *holes;
  __global const uchar *checks;
  __global const int *target;
  __global int *inside;
  ulong limit, source, transitions, levelEnd;
  uint spare, insideCount, lane, lanes, isCut, isAhead;
  ulong reduced, full, rejected;${isTree ? TREE_FIELDS : ""}
} X;`;

export const emitStore = ({ width, isTree, chunkStates }: StoreShape): string => `#define W ${width}
#define KW ${keyWidth({ width, isTree })}
#define CHUNK ${chunkStates}u
${emitVectors(keyWidth({ width, isTree }))}
static inline __global int *state_at(X *x, ulong index) {
  uint chunk = (uint)index / CHUNK;
  return (${emitChoice("chunk", 0, CHUNKS)}) + (ulong)((uint)index - chunk * CHUNK) * KW;
}
/** A function of the words alone, so that it does not depend on timing: it stands for a state in traces. */
static inline ulong hash_of(const int *w) {
  ulong h = 0x9e3779b97f4a7c15ul;
  for (int k = 0; k < W; k++) {
    h = (h ^ (uint)w[k]) * 0x9e3779b97f4a7c15ul;
    h ^= h >> 32;
  }
  h *= 0xd6e8feb86659fd93ul;
  return h ^ h >> 32;
}
/** Of what is stored: the upper half chooses part and entry of the table, the lower half is the tag. */
${
  isTree
    ? `static inline ulong hash_key(const int *key) {
  ulong h = ((ulong)(uint)key[0] << 32 | (uint)key[1]) * 0x9e3779b97f4a7c15ul;
  h = (h ^ h >> 29) * 0xd6e8feb86659fd93ul;
  return h ^ h >> 32;
}`
    : "#define hash_key hash_of"
}
/** The part of the table in which that hash stands, and where its search begins there. */
static inline __global volatile ulong *part_of(X *x, ulong hash) {
  return hash >> 63 ? (hash >> 62 & 1 ? x->table3 : x->table2) : (hash >> 62 ? x->table1 : x->table0);
}
static inline ulong slot_of(X *x, ulong hash) {
  return mul_hi(hash << 2, x->entries);
}
static inline void read_key(X *x, ulong index, int *key) {
  __global const VECTOR *from = (__global const VECTOR *)state_at(x, index);
  for (int k = 0; k < KW / LANES; k++) { VECTOR v = from[k]; SPREAD(key, k, v); }
}
static inline void write_key(X *x, ulong index, const int *key) {
  __global VECTOR *there = (__global VECTOR *)state_at(x, index);
  for (int k = 0; k < KW / LANES; k++) there[k] = JOINED(key, k);
}
${
  isTree
    ? `${emitTree(width, Result.full, Result.nodesFull)}
static inline void read_state(X *x, ulong index, int *w) {
  int key[KW];
  uint ids[NODES];
  read_key(x, index, key);
  read_tree(x, key, w, ids);
}`
    : "#define read_state read_key"
}
static inline ulong hash_at(X *x, ulong index) {
  int w[W];
  read_state(x, index, w);
  return hash_of(w);
}
static inline int is_hole(__global const uint *holes, ulong index) {
  return holes[index >> 5] >> (index & 31) & 1;
}
/** One more occurrence of a cause, in the source being expanded; the smallest hash names one source, whatever the order. */
static __attribute__((noinline)) void note_at(__global volatile ulong *at, __global const int *source${isTree ? ", __global volatile ulong *nodes" : ""}) {
  int w[W];
  ${isTree ? "X own; own.nodes = nodes; int key[KW]; uint ids[NODES]; key[0] = source[0]; key[1] = source[1]; read_tree(&own, key, w, ids);" : "for (int k = 0; k < W; k++) w[k] = source[k];"}
  ulong hash = hash_of(w);
  atom_inc(at);
  for (ulong known = at[1]; hash < known;) {
    ulong before = atom_cmpxchg(at + 1, known, hash);
    if (before == known) break;
    known = before;
  }
}
static inline void note_cause(X *x, int cause) {
  note_at(x->results + ${Result.causes} + 2 * cause, state_at(x, x->source)${isTree ? ", x->nodes" : ""});
}
/** Is that key stored there? Reads what other work items have just written. */
static inline int has_key(X *x, ulong index, const int *key) {
  __global volatile const VECTOR *there = (__global volatile const VECTOR *)state_at(x, index);
  int difference = 0;
  for (int k = 0; k < KW / LANES; k++) { VECTOR v = there[k]; difference |= DIFFERENCE(key, k, v); }
  return difference == 0;
}
/** In partial-order reduction: a state of the next level was met, new or known. */
#ifdef REDUCED
#define MEET(x, index) ((index) >= (x)->levelEnd ? (x)->isAhead = 1 : 0)
#else
#define MEET(x, index)
#endif
static inline void enter(X *x, const int *key, ulong hash) {
  uint tag = (uint)hash;
  __global volatile ulong *table = part_of(x, hash);
  ulong slot = slot_of(x, hash);
  uint isWritten = 0;
  for (ulong probes = 0; probes < x->entries; probes++) {
    ulong entry = table[slot];
    if (entry == 0) {
      if (!isWritten) {
        if (x->spare == 0) {
          ulong index = atom_inc(x->results + ${Result.tail});
          if (index >= x->limit) break;
          x->spare = (uint)index + 1;
        }
        write_key(x, x->spare - 1, key);
        FENCE();
        isWritten = 1;
      }
      entry = atom_cmpxchg(table + slot, 0ul, (ulong)tag << 32 | x->spare);
      if (entry == 0) { MEET(x, x->spare - 1); x->spare = 0; return; }
    }
    if ((uint)(entry >> 32) == tag && has_key(x, (uint)entry - 1, key)) { MEET(x, (uint)entry - 1); return; }
    if (++slot == x->entries) slot = 0;
  }
  x->isCut = 1;
  x->results[${Result.full}] = 1;
}`;

/** Kernels for the first state and for growth. */
export const emitStoreKernels = (isTree: boolean): string => `
__kernel void rehash(${emitParameters(isTree)}) {
  X search; X *x = &search;
  ${emitSetting(isTree)}
  for (ulong i = first + get_global_id(0); i < last; i += get_global_size(0)) {
    if (is_hole(holes, i)) continue;
    int key[KW];
    read_key(x, i, key);
    ulong hash = hash_key(key);
    __global volatile ulong *table = part_of(x, hash);
    ulong slot = slot_of(x, hash);
    ulong probes = 0;
    for (; probes < entries; probes++) {
      if (atom_cmpxchg(table + slot, 0ul, (ulong)(uint)hash << 32 | (uint)(i + 1)) == 0) break;
      if (++slot == entries) slot = 0;
    }
    if (probes == entries) results[${Result.full}] = 1;
  }
}
__kernel void enter_first(${emitParameters(isTree)}) {
  X search; X *x = &search;
  ${emitSetting(isTree)}
  int w[W];
  if (get_global_id(0) != 0) return;
  for (int k = 0; k < W; k++) w[k] = target[k];
  ${isTree ? "int key[KW]; compress_all(x, w, key);" : "const int *key = w;"}
  enter(x, key, hash_key(key));
}
${isTree ? emitRecode(emitParameters(true), emitSetting(true)) : ""}
`;

/** Kernels that few searches need, in a program of their own: each costs the driver's compiler time. */
export const emitLaterKernels = (isTree: boolean): string => `
__kernel void locate(${emitParameters(isTree)}, ulong hash, __global uint *found) {
  X search; X *x = &search;
  ${emitSetting(isTree)}
  for (ulong i = first + get_global_id(0); i < last; i += get_global_size(0)) {
    if (is_hole(holes, i) || hash_at(x, i) != hash) continue;
    ulong position = atom_inc(results + ${Result.located});
    if (position < ${MOST_LOCATED}) found[position] = (uint)i;
  }
}
__kernel void verify(${emitParameters(isTree)}) {
  X search; X *x = &search;
  ${emitSetting(isTree)}
  int key[KW];
  for (ulong i = first + get_global_id(0); i < last; i += get_global_size(0)) {
    if (is_hole(holes, i)) continue;
    read_key(x, i, key);
    ulong hash = hash_key(key);
    __global volatile ulong *table = part_of(x, hash);
    ulong slot = slot_of(x, hash);
    for (ulong entry = table[slot]; entry != 0; entry = table[slot]) {
      if ((uint)(entry >> 32) == (uint)hash && has_key(x, (uint)entry - 1, key)) {
        if ((uint)entry - 1 != i) atom_inc(results + ${Result.duplicates});
        break;
      }
      if (++slot == entries) slot = 0;
    }
    ${isTree ? emitVerifyTree : ""}
  }
}`;

/** Nodes are unique as well: entering the state again gives the pair that is stored. */
const emitVerifyTree = `int w[W], again[KW];
    read_state(x, i, w);
    compress_all(x, w, again);
    if (again[0] != key[0] || again[1] != key[1]) atom_inc(results + ${Result.duplicates});`;

export const emitParameters = (isTree: boolean): string =>
  [
    ...Array.from({ length: CHUNKS }, (_, c) => `__global int *store${c}`),
    ...Array.from({ length: PARTS }, (_, part) => `__global volatile ulong *table${part}`),
    "ulong entries",
    "__global uint *holes",
    "__global volatile ulong *results",
    "ulong limit",
    "__global const uchar *checks",
    "__global uchar *marks",
    "__global int *inside",
    "__global const int *target",
    ...(isTree ? TREE_PARAMETERS : []),
    "ulong first",
    "ulong last",
  ].join(", ");

export const emitSetting = (isTree: boolean): string =>
  [
    each(CHUNKS, (c) => `x->store${c} = store${c};`),
    each(PARTS, (part) => `x->table${part} = table${part};`),
    "x->entries = entries; x->holes = holes; x->results = results; x->limit = limit;",
    isTree ? TREE_SETTING : "",
    "x->checks = checks; x->inside = inside; x->target = target;",
    "x->reduced = 0; x->full = 0; x->rejected = 0; x->isAhead = 0; x->levelEnd = 0;",
    "x->source = 0; x->transitions = 0; x->spare = 0; x->insideCount = 0; x->isCut = 0;",
    "x->lane = get_global_id(0); x->lanes = get_global_size(0);",
  ].join("\n  ");

/** States are read and written in the widest vectors that divide their width. */
function emitVectors(width: number): string {
  const lanes = width % 4 === 0 ? 4 : width % 2 === 0 ? 2 : 1;
  const parts = ["x", "y", "z", "w"].slice(0, lanes);
  const each = (text: (part: string, i: number) => string, join: string): string =>
    parts.map((part, i) => text(lanes === 1 ? "" : `.${part}`, i)).join(join);
  const word = (i: number): string => `(a)[(k) * ${lanes} + ${i}]`;
  return `#define LANES ${lanes}
#define VECTOR ${lanes === 1 ? "int" : `int${lanes}`}
#define SPREAD(a, k, v) ${each((part, i) => `${word(i)} = (v)${part};`, " ")}
#define DIFFERENCE(a, k, v) (${each((part, i) => `(${word(i)} ^ (v)${part})`, " | ")})
#define JOINED(a, k) (VECTOR)(${each((_, i) => word(i), ", ")})`;
}

export const each = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(" ");

/** The chunk with that number, by comparisons: an index that a compiler does not know would keep the pointers in memory. */
function emitChoice(number: string, from: number, to: number): string {
  if (to - from === 1) return `x->store${from}`;
  const middle = (from + to) >> 1;
  return `${number} < ${middle} ? (${emitChoice(number, from, middle)}) : (${emitChoice(number, middle, to)})`;
}
