/**
 * A `System` as an acceptance graph: nominal states are numbered in the order in which they are found, and the labels of steps
 * are the marks. Intermediate states are run through (`intermediates.ts`).
 *
 * If the system proposes candidates, a state is expanded by one of them alone if all its successors are new. Then no cycle
 * consists of reduced states only: the one expanded last leads to a known state. The decision for a state is final.
 *
 * Number `n` is the store's id `n + 1`. States may become wider during the search. Without room for another state,
 * `successors` throws `OutOfRoom`.
 */
import {
  Entry,
  Successors,
  faultSite,
  type AcceptanceGraph,
  type Arcs,
  type System,
  type Words,
} from "../../../model/index.js";
import { NotStepCode } from "../../../step/index.js";
import { emitHash, hashMultipliers } from "../hash.js";
import { Settler, widenTo } from "../intermediates.js";
import type { Ledger } from "../ledger.js";
import { emitSettle, settlingBindings, type Witness } from "../settle-code.js";
import type { StepBackend } from "../step-backend.js";
import type { LoopCode } from "../loop-code.js";
import { ExactStore } from "../store.js";
import { emitFind, emitInsert, emitStoreLocals, instantiate, type StoreShape } from "../store-code.js";
import { OutOfRoom } from "./memory.js";
import { Event, Phase, type Expansion } from "./path-code.js";

export interface InternedGraphOptions {
  readonly conditions: number;
  /** Label bits that become marks; none if the system has no labels. */
  readonly labelMask: number;
  readonly maxStates: number;
  /** A run can stay among intermediate states forever. */
  onStayInside?(): void;
  /** Runs the loops that are built around this graph. */
  readonly backend?: StepBackend | undefined;
}

/** A step out of state `source` failed; `NOWHERE` is before the initial state. */
export interface MetFault {
  readonly site: number;
  readonly source: number;
}

export const NOWHERE = -1;

const EVERYBODY = -1;
const UNDECIDED = -2;
/** Upper bound on the processes of a program. */
const MOST_AGENTS = 1 << 15;

export class InternedGraph implements AcceptanceGraph {
  readonly conditions: number;
  readonly initial = 0;
  /** The first fault at each site, in the order in which they were found. */
  readonly faults: MetFault[] = [];
  readonly #system: System;
  readonly #store: ExactStore;
  readonly #labelMask: number;
  readonly #offered: Successors;
  readonly #nominal: Successors;
  readonly #witness: Witness;
  readonly #settler: Settler;
  readonly #ends: Int32Array;
  /** Position of a loop in the list of successors of the state that it expands. */
  readonly #interning = {
    isSettled: false,
    position: 0,
    touched: 0,
    settle: (id: number): void => this.#settle(id),
  };
  #backend: StepBackend | undefined;
  readonly #sites = new Set<number>();
  /** By state: who was expanded alone, `EVERYBODY`, or `UNDECIDED`. Only with candidates. */
  #decisions = new Int16Array(0);
  /** Their memory, for accounting in words. */
  #decisionWords = new Int32Array(0);
  readonly #ledger: Ledger;
  #reduced = 0;
  readonly #agents: Int32Array;
  #wide: Words;
  #intern: Intern;

  constructor(system: System, options: InternedGraphOptions, ledger: Ledger) {
    const { width, compareFrom } = system;
    this.conditions = options.conditions;
    this.#system = system;
    this.#labelMask = options.labelMask;
    this.#ledger = ledger;
    this.#agents = new Int32Array(system.candidates ? MOST_AGENTS : 0);
    this.#store = new ExactStore(
      { width, compareFrom, keepsParents: false, maxStates: options.maxStates },
      ledger,
    );
    const { backend } = options;
    this.#backend = backend;
    this.#offered = backend?.newList(width, 256) ?? new Successors(width, 64);
    this.#nominal = backend?.newList(width) ?? new Successors(width);
    this.#ends = ledger.small(1);
    this.#witness = {
      fault: (site: number, id: number) => this.#meet(site, id - 1),
      stuckInside: () => {},
      ...(options.onStayInside ? { staysInside: () => options.onStayInside!() } : {}),
    };
    this.#settler = new Settler(system, this.#witness, options.labelMask !== 0, this.#nominal);
    this.#wide = new Int32Array(width);
    this.#enterInitial();
    this.#intern = this.#instantiate();
  }

  /** Number of numbered states; 0 if not even the initial state could be reached. */
  get count(): number {
    return this.#store.count;
  }

  words(state: number): Words {
    return this.#store.state(state + 1, this.#system.width);
  }

  /** States that were expanded by a candidate alone. */
  get reduced(): number {
    return this.#reduced;
  }

  successors(state: number, out: Arcs): void {
    const { candidates } = this.#system;
    if (!candidates) return this.#arcs(state, out, EVERYBODY);
    const decided = this.#decisions[state] ?? UNDECIDED;
    if (decided !== UNDECIDED) return this.#arcs(state, out, decided);
    const proposed = candidates.propose(this.words(state), 0, this.#agents);
    const agent = this.#agents.subarray(0, proposed).find((a) => this.#leadsToNews(state, out, a));
    this.#decide(state, agent ?? EVERYBODY);
    if (agent === undefined) this.#arcs(state, out, EVERYBODY);
  }

  #leadsToNews(state: number, out: Arcs, agent: number): boolean {
    const known = this.count;
    this.#arcs(state, out, agent);
    for (let i = 0; i < out.count; i++) if (out.targets[i]! < known) return false;
    return out.count > 0;
  }

  #decide(state: number, decision: number): void {
    if (decision !== EVERYBODY) this.#reduced++;
    if (state >= this.#decisions.length) this.#growDecisions(Math.max(512, state));
    this.#decisions[state] = decision;
  }

  /** Doubles the room for decisions. */
  #growDecisions(words: number): void {
    const larger = this.#ledger.allocate(words + 1);
    if (!larger) throw new OutOfRoom("memory");
    const longer = new Int16Array(larger.buffer).fill(UNDECIDED);
    longer.set(this.#decisions);
    this.#ledger.free(this.#decisionWords);
    this.#decisions = longer;
    this.#decisionWords = larger;
  }

  #arcs(state: number, out: Arcs, agent: number): void {
    const offered = this.#offered;
    offered.clear();
    this.#expand(state + 1, agent);
    let list = offered;
    if (offered.isFlagged) {
      this.#settle(state + 1);
      list = this.#nominal;
    }
    if (this.#system.width !== this.#store.width) this.followWidth();
    out.count = 0;
    for (let done = 0; (done = this.#intern(list, out, done)) < list.count;) this.grow();
  }

  #settle(id: number): void {
    this.#ends[0] = this.#offered.count;
    this.#settler.settle(this.#offered, this.#ends, 1, id);
  }

  grow(): void {
    const growth = this.#store.grow();
    if (growth !== "grown") throw new OutOfRoom(growth === "no memory" ? "memory" : "states");
  }

  /** Can a loop expand states without this graph? With candidates, this graph decides which is explored alone. */
  get canBeInlined(): boolean {
    return this.#system.candidates === undefined;
  }

  /** The arcs of a state as text, with the system's successors and the store's operations in place. */
  expansion(): Expansion {
    const code = this.#store.code();
    const { width, compareFrom } = this.#store;
    const backend = this.#backend;
    const settling = backend && settlingBindings(backend, this.#witness, width, this.#nominal);
    return {
      head: code.head + (backend ? emitSettle(width, compareFrom, this.#labelMask !== 0) : ""),
      locals: code.locals,
      expand: emitExpansion(code, width, this.#labelMask, backend !== undefined),
      keep: "store.count = count;",
      bindings: {
        ...code.bindings,
        ...settling,
        system: this.#system,
        store: this.#store,
        offered: this.#offered,
        nominal: this.#nominal,
        monitor: this.#witness,
        ends: this.#ends,
        interning: this.#interning,
      },
    };
  }

  /** The functions of a loop as WebAssembly; undefined where it has to be JavaScript. */
  asStepCode<T>(
    text: string,
    functions: readonly string[],
    bindings: Readonly<Record<string, unknown>>,
  ): T | undefined {
    try {
      return this.#backend?.instantiate<T>(text, functions, bindings);
    } catch (error) {
      if (!(error instanceof NotStepCode)) throw error;
      this.#backend = undefined;
      return undefined;
    }
  }

  /** WebAssembly cannot address all arrays any more: loops must be recompiled, as JavaScript. */
  get leavesStep(): boolean {
    // sound: test/engines/emptiness/step-loop.test.ts
    return this.#backend !== undefined && this.#ledger.isElsewhere;
  }

  leaveStep(): void {
    this.#backend?.keepCoverage();
    this.#backend = undefined;
  }

  get isStep(): boolean {
    return this.#backend !== undefined;
  }

  #expand(id: number, agent: number): void {
    const { chunks, strides, chunkBits, width } = this.#store;
    const chunk = chunks[id >>> chunkBits];
    const stride = strides[id >>> chunkBits];
    const at = (id & ((1 << chunkBits) - 1)) * stride;
    if (stride === width) return this.#step(chunk, at, agent);
    for (let k = 0; k < width; k++) this.#wide[k] = k < stride ? chunk[at + k] : 0;
    this.#step(this.#wide, 0, agent);
  }

  #step(words: Words, at: number, agent: number): void {
    if (agent === EVERYBODY) this.#system.successors(words, at, this.#offered);
    else this.#system.candidates!.successorsOf(agent, words, at, this.#offered);
  }

  #enterInitial(): void {
    const initial = new Successors(this.#system.width);
    this.#system.initial(initial);
    if (initial.count !== 1) throw new Error(`a system has one initial state, this one has ${initial.count}`);
    if (this.#system.width !== this.#store.width) this.followWidth();
    const flags = initial.flags[0];
    if (faultSite(flags) >= 0) this.#meet(faultSite(flags), NOWHERE);
    if ((flags & Entry.dead) === 0 && this.#store.insert(initial.words, 0) === undefined)
      throw new OutOfRoom("memory");
  }

  #meet(site: number, source: number): void {
    if (this.#sites.has(site)) return;
    this.#sites.add(site);
    this.faults.push({ site, source });
  }

  /** Follows the system after its states became wider. */
  followWidth(): void {
    const { width } = this.#system;
    widenTo(this.#offered, width);
    this.#wide = new Int32Array(width);
    if (!this.#store.widen(width)) throw new OutOfRoom("memory");
    this.#intern = this.#instantiate();
  }

  #instantiate(): Intern {
    const text = emitIntern(this.#store.shape(), this.#labelMask);
    return instantiate(
      "intern states",
      { store: this.#store, multipliers: hashMultipliers(this.#store.width) },
      text,
    );
  }
}

/** Runs in the phases `expand` and `intern` of the loop (`path-code.ts`). */
const emitExpansion = (code: LoopCode, width: number, labelMask: number, isSettling: boolean): string => `
if (phase === ${Phase.expand}) {
  ${code.load(["top + 1"])}
  offered.clear();
  system.successors(from, fromAt, offered);
  interning.isSettled = false;
  if (offered.isFlagged) {
    ${isSettling ? "ends[0] = offered.count;\n    settle(ends, 1, top + 1);" : "interning.settle(top + 1);"}
    interning.isSettled = true;
  }
  interning.position = 0;
  phase = ${Phase.intern};
}
let list = offered;
if (interning.isSettled) list = nominal;
// sound: test/engines/emptiness/step-loop.test.ts
if (system.width !== ${width}) { event = ${Event.wider}; break search; }
const words = list.words, labels = list.labels, length = list.count;
if (arcEnd + length > arcRoom) {
  path.needed = length;
  event = ${Event.room};
  break search;
}
${code.prepare("false", "break search;")}
interning.touched = touched; // so that the reads are not optimised away
next: for (let i = interning.position; i < length; i++) {
  ${code.entry("i")}
  const carried = ${labelMask === 0 ? "0" : `labels[i] & ${labelMask}`};
  ${code.find("{ arcs[2 * arcEnd] = id - 1; arcs[2 * arcEnd + 1] = carried; arcEnd++; continue next; }")}
  if (${code.isFull}) {
    interning.position = i;
    event = ${Event.full};
    break search;
  }
  ${code.insert("", "")}
  arcs[2 * arcEnd] = count - 1;
  arcs[2 * arcEnd + 1] = carried;
  arcEnd++;
}
// sound: test/engines/emptiness/step-loop.test.ts
if (count > rankRoom) {
  interning.position = length;
  path.bound = count;
  path.needed = 0;
  event = ${Event.room};
  break search;
}`;

/** Numbers the states of the list from position `first` on and adds arcs to them; how far it came before the store was full. */
type Intern = (list: Successors, out: Arcs, first: number) => number;

const emitIntern = (shape: StoreShape, labelMask: number): string => `
return function intern(list, out, first) {
  ${emitStoreLocals(shape)}
  const words = list.words, labels = list.labels, length = list.count;
  entries: for (let i = first; i < length; i++) {
    const at = i * ${shape.width};
    const marks = ${labelMask === 0 ? "0" : `labels[i] & ${labelMask}`};
    ${emitHash(shape.width, shape.compareFrom)}
    ${emitFind(shape, "{ out.add(id - 1, marks); continue entries; }")}
    if (count === room) {
      store.count = count;
      return i;
    }
    ${emitInsert(shape)}
    out.add(count - 1, marks);
  }
  store.count = count;
  return length;
};`;
