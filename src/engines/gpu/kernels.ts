/**
 * The text of the kernels: the model's step code, printed as OpenCL C, between the code that looks successors up.
 *
 * `explore` expands the states of a range, one a work item at a time, and enters their successors. States
 * are stored contiguously in the order of discovery, in several chunks; the table has 64-bit entries: a tag above, the number of the state below. To enter a state a work item
 * reserves a number, writes the state there, and claims the entry by compare-and-swap; a reserved number for which another work item was faster
 * serves the next new state, and is a hole if there is none.
 *
 * `RESULTS` of a launch are counted only if the launch was not cut short by a lack of room: then it is repeated, which finds the states
 * that were entered already.
 *
 * Kernels have no barrier: behind a loop of different lengths PoCL 3.1 ran the loop's body for work items that have no state.
 */
import { OPENCL_ARITHMETIC, StepText, printOpenCl, type OpenClText } from "../../step/index.js";
import type { StepCode } from "../../model/index.js";
import { Result, STRIPES, causesOf } from "./results.js";
import {
  emitLaterKernels,
  emitParameters,
  emitSearchFields,
  emitSetting,
  emitStore,
  emitStoreKernels,
  type StoreShape,
} from "./store-text.js";

export interface KernelShape extends StoreShape {
  /** Invariants to examine, by index. */
  readonly invariants: readonly number[];
  readonly checksDeadlock: boolean;
  /** Partial-order reduction: a candidate is taken if it leads to a state of the next level, or without that condition. */
  readonly proviso?: DeviceProviso | undefined;
  readonly sites: number;
  /** Intermediate states of one source that a work item can hold. */
  readonly insideRoom: number;
}

export type DeviceProviso = "next-level" | "none";

export interface Kernels {
  readonly text: string;
  readonly model: OpenClText;
  readonly hasInside: boolean;
  readonly causes: number;
  /** Words of 64 bits. */
  readonly resultWords: number;
  /** Position of the counters of the host's arrays in the results. */
  readonly firstCounter: number;
  readonly markCount: number;
  readonly counterCount: number;
}

/** Throws `NotStepCode` where the text is none for a device. */
export function emitKernels({ text, bindings }: StepCode, shape: KernelShape): Kernels {
  const { module } = new StepText(text);
  const hasStatus = module.functions.has("status");
  const wanted = {
    expand: [0],
    ...(shape.proviso ? { candidateBelow: [1], expandAgent: [1] } : {}),
    ...(shape.checksDeadlock && hasStatus ? { status: [0] } : {}),
    ...(shape.invariants.length > 0 ? { holds: [1] } : {}),
  };
  const model = printOpenCl(module, bindings, wanted, namesFor(shape.width, module.functions));
  const markCount = model.marks.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const counterCount = model.counters.reduce((sum, { counts }) => sum + counts.length, 0);
  const causes = causesOf(shape.sites).invariant(shape.invariants.length);
  const firstCounter = Result.causes + 2 * causes;
  // sound: test/engines/gpu/differential.test.ts
  const hasInside = text.includes("intermediate = true");
  const parts = { ...shape, model, markCount, counterCount, causes, firstCounter, hasInside, hasStatus };
  return {
    text: emitText(parts),
    model,
    hasInside,
    causes,
    resultWords: firstCounter + counterCount,
    firstCounter,
    markCount,
    counterCount,
  };
}

interface Parts extends KernelShape {
  readonly model: OpenClText;
  readonly markCount: number;
  readonly counterCount: number;
  readonly causes: number;
  readonly firstCounter: number;
  readonly hasInside: boolean;
  readonly hasStatus: boolean;
}

/** The list of successors of the text is one entry: see `step/opencl.ts`. */
const namesFor = (
  width: number,
  functions: ReadonlyMap<string, unknown>,
): Parameters<typeof printOpenCl>[3] => ({
  constants: { o: 0, stride: width, limit: 1, neededWidth: 0 },
  assignments: {
    o: "PUT(m)",
    "o=": "(void)0",
    stride: "(m->beyond = 1)",
    neededWidth: "(m->beyond = 1)",
    limit: "(void)0",
  },
  functions: {
    load: { body: "m->g_n = 0; m->flag = 0;", uses: ["n"] },
    grow: { body: "m->beyond = 1;", uses: [] },
    ...(functions.has("isHighest") ? {} : { moveThose: MOVE_THOSE }),
    // The text does it by functions that call each other.
    reportFailures: {
      body:
        "int count = m->g_failed; m->g_failed = 0; " +
        "for (int i = 0; i < count; i++) { m->flag = 1 | (m->g_failures[i] + 1) << 2; m->g_n++; PUT(m); }",
      uses: ["n", "failed", "failures"],
    },
  },
  arrays: { w: width },
  single: { flags: "m->flag" },
  ignored: new Set(["labels"]),
  records: { out: "m->beyond = 1;", target: "m->beyond = 1;" },
});

/** One place that moves processes instead of two: the driver's compiler copies functions to where they are called, and its time grows faster than its text. */
const MOVE_THOSE = {
  body: "for (int p = m->g_np - 1; p >= 0; p--) if (p_owner == 0 || p == p_owner - 1) f_move(m, p);",
  uses: ["np"],
  calls: ["move"],
};

/** Words of entries that wait to be looked up. */
const MOST_KEPT_WORDS = 512;
/** Entries of up to this many words are passed by value, so that a compiler can keep them in registers. */
const MOST_BY_VALUE = 16;
/** Marks of up to this many parts are collected in private words. */
const MOST_PRIVATE_MARKS = 256;
/** Private counters of each work item. */
const MOST_PRIVATE_COUNTERS = 64;

function emitText(p: Parts): string {
  const words = Array.from({ length: p.width }, (_, k) => k);
  const isByValue = p.width <= MOST_BY_VALUE;
  const parameters = isByValue ? words.map((k) => `int w${k}`).join(", ") : "const int *w";
  const copied = words.map((k) => (isByValue ? `to[${k}] = w${k};` : ""));
  const entry = isByValue ? words.map((k) => `(m)->g_w[${k}]`).join(", ") : "(m)->g_w";
  const markWords = p.markCount > 0 && p.markCount <= MOST_PRIVATE_MARKS ? Math.ceil(p.markCount / 32) : 0;
  const isPrivate = p.counterCount > 0 && p.counterCount <= MOST_PRIVATE_COUNTERS;
  const at = causesOf(p.sites);
  const room = Math.max(8, Math.min(16, Math.floor(MOST_KEPT_WORDS / p.width)));
  return `
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
${p.proviso ? "#define REDUCED" : ""}
#ifdef OUTLINED
#define LARGE static __attribute__((noinline))
#else
#define LARGE static inline
#endif
#ifndef ROOM
#define ROOM ${room}
#endif
#ifdef __NV_CL_C_VERSION
#ifndef NOPREFETCH
#define PREFETCH(address) asm volatile("prefetch.global.L2 [%0];" :: "l"(address))
#endif
#define FENCE() asm volatile("membar.gl;" ::: "memory")
#elif __OPENCL_C_VERSION__ >= 200
#define FENCE() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
#else
#define FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif
#ifndef PREFETCH
#define PREFETCH(address)
#endif
${emitSearchFields(p.isTree)}
${emitStore(p)}
#ifdef LATER
${emitLaterKernels(p.isTree)}
#else
/** Fields have known places, and arrays are apart, so that a compiler can keep fields in registers: one index that it does not know keeps a structure in memory. */
typedef struct {
  int *kept, *keptFlags;
  uint seen, base;
  int flag, host, hostFirst, hostSecond, beyond;
  ${markWords > 0 ? "uint" : "__global uchar"} *marks;
${p.counterCount > 0 ? (isPrivate ? "  uint *counters;" : "  __global volatile ulong *counters;") : ""}
${p.model.fields}
} M;
static inline int call_host(M *m, int number, int first, int second) {
  if (m->host == 0) { m->host = number + 1; m->hostFirst = first; m->hostSecond = second; }
  return 0;
}
#define HOST(m, k, a, b) call_host(m, k, a, b)
${markWords > 0 ? "#define MARK(m, i) ((m)->marks[(i) >> 5] |= 1u << ((i) & 31))" : "#define MARK(m, i) ((m)->marks[i] == 0 ? ((m)->marks[i] = 1) : 0)"}
// sound: test/engines/gpu/differential.test.ts
#define COUNT(m, i) ((m)->base == 0 ? ${isPrivate ? "(m)->counters[i]++" : "(uint)atom_inc(&(m)->counters[i])"} : 0u)
#ifdef BACKWARDS
static inline void enter_or_compare(X *x, const int *w, ulong hash) {
  for (int k = 0; k < W; k++) if (x->target[k] != w[k]) return;
  note_cause(x, 0);
}
#else
${p.isTree ? ENTER_TREE : "#define enter_or_compare enter"}
#endif
${p.hasInside ? emitInside(p.insideRoom) : ""}
static inline void look_up(X *x, int flag, const int *w, ulong hash) {
  if (x->isCut) return;
#ifndef BACKWARDS
  if (flag >> 2 > 0 && x->checks[(flag >> 2) - 1] != 0) note_cause(x, (flag >> 2) - 1);
#endif
  if (flag & 1) return;
  if (flag & 2) {
    ${p.hasInside ? "keep_inside(x, w);" : `x->results[${Result.beyond}] = 1;`}
    return;
  }
  x->transitions++;
  enter_or_compare(x, w, hash);
}
/** Entries are looked up when the source is expanded: by then the work items of a group do the same again. */
static __attribute__((noinline)) void put(int *to, int *flags, int flag, ${parameters}) {
  ${isByValue ? copied.join(" ") : "for (int k = 0; k < W; k++) to[k] = w[k];"}
  *flags = flag;
}
static inline void put_next(M *m) {
  uint i = m->seen++ - m->base;
  if (i < ROOM) put(m->kept + i * W, m->keptFlags + i, m->flag, ${entry});
}
static inline void look_all_up(M *m, X *x) {
  uint count = min(m->seen - m->base, (uint)ROOM);
  ${p.isTree ? "" : "ulong hashes[ROOM];"}
  ${p.isTree ? "" : PREFETCH_ALL}
  for (uint i = 0; i < count; i++) {
    int w[W];
    for (int k = 0; k < W; k++) w[k] = m->kept[i * W + k];
    look_up(x, m->keptFlags[i], w, ${p.isTree ? "0" : "hashes[i]"});
  }
}
#define PUT(m) ((m)->host == 0 && (m)->beyond == 0 ? put_next(m) : (void)0, (m)->flag = 0)
${p.model.tables}
${OPENCL_ARITHMETIC}
${p.model.functions}
/** Expands a state${p.proviso ? ", by one agent or by all (-1)" : ""}; a state with more successors than there is room for is expanded again, for the next of them. */
static inline void expand(M *m, X *x, int *state${p.proviso ? ", int agent" : ""}) {
  m->base = 0;
  for (;;) {
    m->seen = 0;
    ${p.proviso ? "if (agent >= 0) f_expandAgent(m, agent, state, 0, 0); else " : ""}f_expand(m, state, 0, 0);
    look_all_up(m, x);
    // sound: test/engines/gpu/differential.test.ts
    if (m->seen <= m->base + ROOM || x->isCut || m->host != 0 || m->beyond != 0) break;
    m->base += ROOM;
  }
}
__kernel void explore(${emitParameters(p.isTree)}, uint isExamined, uint isExpanded, ulong levelEnd) {
  M module; M *m = &module; X search; X *x = &search;
  ${emitSetting(p.isTree)}
  int kept[ROOM * W], keptFlags[ROOM];
  ${p.model.storage}
  m->kept = kept; m->keptFlags = keptFlags; m->seen = 0; m->base = 0;
  x->levelEnd = levelEnd;
  m->flag = 0; m->host = 0; m->hostFirst = 0; m->hostSecond = 0; m->beyond = 0;
  ${markWords > 0 ? `uint ownMarks[${markWords}]; m->marks = ownMarks; for (int i = 0; i < ${markWords}; i++) ownMarks[i] = 0;` : "m->marks = marks;"}
  ${isPrivate ? `uint counters[${p.counterCount}]; m->counters = counters; for (int i = 0; i < ${p.counterCount}; i++) counters[i] = 0;` : p.counterCount > 0 ? `m->counters = results + ${p.firstCounter};` : ""}
  module_start(m);
  int state[W];
  ${p.isTree ? "int base[W]; uint ids[NODES]; x->base = base; x->ids = ids;" : ""}
  uint turn = 0;
  for (ulong i = first + get_global_id(0); i < last; i += get_global_size(0)) {
    if (is_hole(holes, i)) continue;
    ${p.isTree ? "{ int key[KW]; read_key(x, i, key); read_tree(x, key, base, ids); for (int k = 0; k < W; k++) state[k] = base[k]; }" : "read_state(x, i, state);"}
    x->source = i;
#ifndef BACKWARDS
    if (isExamined) {
${p.invariants.map((index, position) => `      if (!f_holds(m, ${index}, state, 0)) note_cause(x, ${at.invariant(position)});`).join("\n")}
    }
    if (!isExpanded) continue;
#endif
    ${p.proviso ? emitAttempts(p) : emitSource(p, "")}
    if (m->host != 0 || m->beyond != 0 || x->isCut) break;
    // Others have met a lack of room: the launch will be repeated. Every work item reads that word, so not often.
    if ((++turn & 15) == 0 && results[${Result.full}] != 0) break;
  }
#ifndef BACKWARDS
  if (x->spare != 0) {
    atomic_or(holes + ((x->spare - 1) >> 5), 1u << ((x->spare - 1) & 31));
    atom_inc(results + ${Result.holes});
  }
#endif
  if (m->beyond != 0) results[${Result.beyond}] = 1;
  if (m->host != 0 && atom_cmpxchg(results + ${Result.host}, 0ul, (ulong)m->host) == 0) {
    results[${Result.hostFirst}] = (ulong)(uint)m->hostFirst;
    results[${Result.hostSecond}] = (ulong)(uint)m->hostSecond;
  }
  ${markWords > 0 ? `for (int i = 0; i < ${p.markCount}; i++) if ((m->marks[i >> 5] >> (i & 31) & 1) != 0 && marks[i] == 0) marks[i] = 1;` : ""}
  ${p.proviso ? emitReductionCounts : ""}
  atom_add(results + ${Result.transitions} + (get_global_id(0) & ${STRIPES - 1}), x->transitions);
  ${isPrivate ? `for (int i = 0; i < ${p.counterCount}; i++) if (m->counters[i] != 0) atom_add(results + ${p.firstCounter} + i, (ulong)m->counters[i]);` : ""}
}
${emitStoreKernels(p.isTree)}
#endif`;
}

const ENTER_TREE = `static inline void enter_or_compare(X *x, const int *w, ulong hash) {
  int key[KW];
  compress(x, w, key);
  if (!x->isCut) enter(x, key, hash_key(key));
}`;

/** The entries of the table are asked for together, so that the waits overlap. */
const PREFETCH_ALL = `for (uint i = 0; i < count; i++) {
    hashes[i] = hash_of(m->kept + i * W);
    PREFETCH(part_of(x, hashes[i]) + slot_of(x, hashes[i]));
  }`;

/** Expands the source, by an agent or fully, then its intermediate states. */
function emitSource(p: Parts, agent: string): string {
  const at = causesOf(p.sites);
  const [chosen, isFull] =
    agent === "" ? ["", ""] : [`, j == 0 ? ${agent} : -1`, `(j > 0 || ${agent} < 0) && `];
  return `x->insideCount = 0;
    for (uint j = 0; ; j++) {
      expand(m, x, state${chosen});
      ${agent === "" ? "" : "if (j == 0) hasMoved = m->g_n > 0;"}
#ifndef BACKWARDS
      ${p.checksDeadlock && p.hasStatus ? `if (${isFull}m->g_n == 0 && !(f_status(m, state, 0) & 1)) note_cause(x, j == 0 ? ${at.deadlock} : ${at.stuckInside});` : ""}
#endif
      if (j >= x->insideCount || x->isCut) break;
      ${p.hasInside ? "for (int k = 0; k < W; k++) state[k] = INSIDE(x, j, k);" : ""}
    }`;
}

/**
 * Expands the source by its first candidate that leads to the next level, or fully. A rejected candidate leaves nothing behind: it met only
 * states of earlier levels and of this one. Which those are does not depend on timing. As threads do, counts what rejected candidates met.
 */
const emitAttempts = (p: Parts): string => `
    int hasRejected = 0;
    for (int agent = 0x7fffffff; ;) {
#ifdef BACKWARDS
      agent = -1;
#else
      agent = f_candidateBelow(m, agent, state, 0);
#endif
      int hasMoved = 0;
      ulong before = x->transitions;
      x->isAhead = 0;
      ${emitSource(p, "agent")}
      if (m->host != 0 || m->beyond != 0 || x->isCut) break;
      if (agent < 0) { x->full += hasRejected; break; }
      // sound: test/engines/gpu/reduction.test.ts
      if (${p.proviso === "none" ? "x->transitions > before" : "x->isAhead"}) { x->reduced++; break; }
      if (hasMoved) hasRejected = 1;
      if (x->transitions > before) x->rejected++;
      read_state(x, i, state);
    }`;

const emitReductionCounts = `
  atom_add(results + ${Result.reduced}, x->reduced);
  atom_add(results + ${Result.fullByProviso}, x->full);
  atom_add(results + ${Result.rejected}, x->rejected);`;

/** Intermediate states of a source: each once, in a list that is also the queue. Word k of entry j of all lanes are contiguous. */
const emitInside = (room: number): string => `
#define INSIDE(x, j, k) (x)->inside[((ulong)(j) * W + (k)) * (x)->lanes + (x)->lane]
static inline void keep_inside(X *x, const int *w) {
  for (uint j = 0; j < x->insideCount; j++) {
    int k = 0;
    while (k < W && INSIDE(x, j, k) == w[k]) k++;
    if (k == W) return;
  }
  if (x->insideCount == ${room}) {
    x->isCut = 1;
    x->results[${Result.overflow}] = 1;
    return;
  }
  for (int k = 0; k < W; k++) INSIDE(x, x->insideCount, k) = w[k];
  x->insideCount++;
}`;
