/**
 * The `System`: the least that defines a transition system, and no less.
 *
 * A state is `width` 32-bit words. The width only grows, and zero means absent, so earlier states stay
 * valid: a shorter state counts as extended by zeros. Words before `compareFrom` are
 * carried along but do not distinguish states.
 *
 * Successors come in a deterministic order; the position in that order is the *choice*, and a trace is a
 * list of choices. Deadlock is defined by the system (`status`), not by the search.
 */
import type { Span } from "./diagnostic.js";

export type Words = Int32Array;

export interface System {
  /** Words in a state now. Grows inside `initial` and `successors`, never shrinks. */
  readonly width: number;
  readonly compareFrom: number;
  /**
   * The system has several start states: `initial` gives a root, which is not a state, and its successors are the
   * start states. So the first choice of a trace is the start. The root violates nothing: it is a valid end, invariants
   * hold there; figures leave it out. Absent: the initial state is the only one.
   */
  readonly hasRoot?: boolean;
  initial(out: Successors): void;
  /**
   * Appends the successors of the state at `state[at … at + width - 1]`. `state` must not be `out.words`.
   * If the width grew, `out` was widened with it. Flags beyond `out.count` are zero before and after.
   */
  successors(state: Words, at: number, out: Successors): void;
  /** Bits of `Status`. */
  status(state: Words, at: number): number;
  /** Meaning of `Successors.labels`; absent: unused. */
  readonly labels?: Labels;
  /** Facet: proposals for partial-order reduction. */
  readonly candidates?: Candidates;
  /** Facet: steps that can be taken back. */
  readonly undo?: Undo;
  /** Facet: the same as step code, for states of one width. */
  readonly step?: StepCode;
}

/**
 * A system as text, to be joined with search loops (`step/`). Its functions `expand(state, at, target)`, `holds(index, state, at)`, and with
 * candidates `propose(state, at, agents)` and `expandAgent(agent, state, at, target)`, compute the same as the functions of the system and the model.
 */
export interface StepCode {
  /** The code of the system that this one is made of: the text calls its functions by the same names. */
  readonly base?: StepCode;
  readonly text: string;
  /** Values of names in the text. */
  readonly bindings: Readonly<Record<string, unknown>>;
  /**
   * The functions that the text implements. A wrapper of the system or the model has others, and so no step code, even if
   * it copies this facet.
   */
  readonly same: {
    readonly successors: System["successors"];
    holds(index: number, state: Words, at: number): boolean;
    readonly propose: Candidates["propose"] | undefined;
    readonly successorsOf: Candidates["successorsOf"] | undefined;
    /** The text has `status(state, at)`; absent: the host evaluates end states. */
    readonly status?: System["status"];
    /** Of an `ObservedSystem`: the text has \`valuation(index, state, at)\`. */
    valuation?(index: number, state: Words, at: number): number;
  };
  /** Receives the states that a search by this code has stored, numbered from 1, when it has ended. */
  visited?(state: (id: number) => Words, count: number): void;
}

/** Whether the step code belongs to the system's own functions: a wrapper may copy the facet and replace a function. */
export function isStepCodeOf(
  { step, successors, candidates }: System,
  holds: StepCode["same"]["holds"],
): boolean {
  if (!step) return false;
  const { same } = step;
  // sound: test/engines/explicit/wrapped.test.ts
  if (same.successors !== successors || same.holds !== holds) return false;
  // sound: test/engines/explicit/wrapped.test.ts
  return (
    !candidates || (same.propose === candidates.propose && same.successorsOf === candidates.successorsOf)
  );
}

/**
 * `agents`: the moving agents, bit `n` for agent (process) `n`, so that the union over all entries gives the enabled agents
 * of a state; `FOREIGN_AGENT` represents all agents with higher numbers.
 * `marks`: acceptance conditions, as in `Automaton`.
 * `actions`: which action it is, as in `Undo`.
 */
export type Labels = "agents" | "marks" | "actions";

export const FOREIGN_AGENT = 1 << 31;

/**
 * Agents whose steps from a state may be explored instead of all steps (an ample set), as far as the state itself can
 * tell. The proviso against infinitely postponed steps belongs to the search, which has the stack and the queue.
 */
export interface Candidates {
  /** Writes the agents to propose to `out`, the first choice first; how many they are. */
  propose(state: Words, at: number, out: Int32Array): number;
  /** Appends the successors by that agent alone, in the order in which `successors` has them. */
  successorsOf(agent: number, state: Words, at: number, out: Successors): void;
  /** A proposal may be revoked later in the search, by states that must not be postponed forever. */
  readonly isProvisional?: boolean;
  /** Size of the data kept during a search; absent: none. */
  readonly kept?: Kept;
}

export interface Kept {
  /** Counts against the memory of the search. */
  readonly bytes: number;
  /** A search begins: nothing of the one before is needed any more. */
  clear(): void;
}

/**
 * Actions that change every state in which they happen by the same amount, as the transitions of a Petri net do, and so
 * can be taken back. The system writes the action of each successor into `Successors.labels`.
 */
export interface Undo {
  /** Takes the action in the state at `state[at…]`, which becomes its successor. */
  redo(action: number, state: Words, at: number): void;
  /** Takes the action back; false when no state can have led here by it. */
  undo(action: number, state: Words, at: number): boolean;
}

export const Status = {
  /** A state without successors here is not a deadlock. */
  validEnd: 1,
  /** Inside an atomic sequence: not a state a user would count. */
  intermediate: 2,
} as const;

/**
 * A flat, growable list of successors: entry `i` starts at `words[i * stride]`.
 * Reused for every expansion, so nothing per transition is allocated.
 */
export class Successors {
  words: Words;
  /** Per entry, 0 for an ordinary successor; else bits of `Entry`, and a fault site + 1 above `Entry.faultShift`. */
  flags: Int32Array;
  /** Label of each entry (`System.labels`); meaningless for other systems. */
  labels: Int32Array;
  count = 0;
  /** Some entry since the last `clear` has flags. */
  isFlagged = false;
  stride: number;
  capacity: number;

  readonly #allocate: (length: number) => Int32Array<ArrayBuffer>;

  /** `allocate`: for lists in a memory that others share. */
  constructor(stride: number, capacity = 64, allocate = (length: number) => new Int32Array(length)) {
    this.stride = stride;
    this.capacity = capacity;
    this.#allocate = allocate;
    this.words = allocate(stride * capacity);
    this.flags = allocate(capacity);
    this.labels = allocate(capacity);
  }

  clear(): void {
    if (this.isFlagged) this.flags.fill(0, 0, this.count);
    this.count = 0;
    this.isFlagged = false;
  }

  /** Makes room for at least one more entry. Replaces `words`, `flags` and `labels`: reload cached references. */
  grow(): void {
    this.capacity *= 2;
    this.words = copyInto(this.#allocate(this.stride * this.capacity), this.words);
    this.flags = copyInto(this.#allocate(this.capacity), this.flags);
    this.labels = copyInto(this.#allocate(this.capacity), this.labels);
  }

  /** Re-lays the entries for wider states. */
  widen(stride: number): void {
    const words = this.#allocate(stride * this.capacity);
    for (let i = 0; i < this.count; i++)
      words.set(this.words.subarray(i * this.stride, (i + 1) * this.stride), i * stride);
    this.words = words;
    this.stride = stride;
  }

  /** A copy of the state of an entry that is not dead. */
  stateAt(entry: number): Int32Array<ArrayBuffer> {
    return this.words.slice(entry * this.stride, (entry + 1) * this.stride);
  }

  isDead(entry: number): boolean {
    return ((this.flags[entry] ?? 0) & Entry.dead) !== 0;
  }

  /** The fault site of an entry, or -1. */
  faultAt(entry: number): number {
    return faultSite(this.flags[entry] ?? 0);
  }

  /** Appends a fault that has no successor. */
  addFault(site: number): void {
    if (this.count === this.capacity) this.grow();
    this.words.fill(0, this.count * this.stride, (this.count + 1) * this.stride);
    this.flags[this.count++] = Entry.dead | ((site + 1) << Entry.faultShift);
    this.isFlagged = true;
  }
}

export const Entry = {
  /** No successor state: the words are meaningless, the fault is all there is. */
  dead: 1,
  /** The successor is inside an atomic sequence (`Status.intermediate`). */
  intermediate: 2,
  faultShift: 2,
} as const;

export const faultSite = (flags: number): number => (flags >> Entry.faultShift) - 1;

/** Rendering of a step: for traces, simulation and the explorer. */
export interface Explainer {
  /** The step that `successors` gives at position `choice`. */
  describe(state: Words, at: number, choice: number): Step;
  /** Every variable and channel a person would look at, by name, in a stable order. */
  snapshot(state: Words, at: number): readonly Shown[];
  /** Location of each live process. */
  processes(state: Words, at: number): readonly ProcessView[];
}

export interface Step {
  /** Who takes part: `P[0]`; two for a rendezvous, the sender first. */
  readonly participants: readonly string[];
  /** Statement text, one for each participant. */
  readonly action: string;
  readonly sources: readonly Span[];
  /** Messages that moved in this step, for arrows in a chart. */
  readonly messages: readonly MessageEvent[];
  /** Output of `printf`. */
  readonly output: string;
}

export interface MessageEvent {
  readonly kind: "send" | "receive" | "rendezvous" | "lost";
  readonly channel: string;
  readonly channelId: number;
  readonly message: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export interface Shown {
  /** `x`, `P[1]:y`, `ring[2]`. */
  readonly name: string;
  readonly value: string;
}

export interface ProcessView {
  readonly name: string;
  readonly span: Span;
  readonly isAtEnd: boolean;
}

/** Coverage of the source. */
export interface Coverage {
  readonly parts: readonly { readonly owner: string; readonly text: string; readonly span: Span }[];
  /** One byte a part: has it been executed? */
  readonly reached: Uint8Array;
  /** Number of executions of each site by one search in one thread; absent if not counted. */
  readonly times?: Float64Array;
}

function copyInto(target: Int32Array<ArrayBuffer>, source: Int32Array): Int32Array<ArrayBuffer> {
  target.set(source);
  return target;
}
