/**
 * A store's operations for the search loops, as text: loops are instantiated for each run, with the operations for states of
 * one width inlined (see `store-code.ts` for why).
 *
 * The text uses `store`, `words` and `length` (the list of successors), and the names that `locals` declares. A state is
 * referred to in two ways: by `ref`, some words that stand for a stored state on the stack, and by its number in the order of
 * discovery (breadth-first only).
 */
import type { Words } from "../../model/index.js";

/** `full`: a table of fixed size has no free place. */
export type Growth = "grown" | "no memory" | "no states" | "full";

/** A store of visited states that the loops can be built around. */
export interface Visited {
  readonly count: number;
  readonly width: number;
  /** Bytes of the tables of visited states: without queue, order and parents. */
  readonly tableBytes: number;
  /** Words that refer to a stored state, and to a state waiting on the stack to be looked up. */
  readonly refWords: number;
  readonly waitingWords: number;
  /** Makes room for at least one more state. */
  grow(): Growth;
  /** Enters the first state; returns its reference, or undefined without room. */
  enter(words: Words): readonly number[] | undefined;
  /** From now on states have `width` words. Undefined when there is no memory for it. */
  widen(width: number): Renewal | undefined;
  /** A copy of the stored state that `refs[at…]` referred to when states had `width` words. */
  referred(refs: Int32Array, at: number, width: number): Words;
  /** A copy of the one with that number, extended by zeros. */
  numbered(id: number, width: number): Words;
  /** The number of the state from which state `id` was first reached. */
  parent(id: number): number;
  code(): LoopCode;
  /** Numbers new states that wait to be looked up: all successors of a level are entered. */
  endLevel?(): void;
  /** States that the loops have entered; the store examines the others itself. Absent: all. */
  readonly residents?: number;
  /** Forgets that there was no memory to look something up. */
  recover?(): void;
  /** For expansion in any order: state `id`, `depth` steps from the start, is expanded next; it was expanded. */
  begin?(id: number, depth: number): void;
  end?(id: number): void;
}

/** Effect of widening on references kept elsewhere: none, or each pair is replaced. */
export type Renewal = "none" | ((refs: Int32Array, at: number) => boolean);

/** Operations for a breadth-first search of several threads. */
export type SharedCode = Omit<LoopCode, "load" | "ref" | "wait" | "resume">;

export interface LoopCode {
  /** Values for names in the text. */
  readonly bindings: Readonly<Record<string, unknown>>;
  /** Functions, at the head of the text. */
  readonly head: string;
  /** The store's fields as locals, `count` and `room` among them; again after the store grew. */
  readonly locals: string;
  /** Declares `from` and `fromAt` as the words of a stored state. */
  load(ref: readonly string[]): string;
  /** Likewise of the state with number `id`. */
  readonly loadNumbered: string;
  /** After the successors of the loaded state were appended to `offered` from entry `first` on. */
  readonly note: string;
  /**
   * Prepares the list's entries for lookup, and prefetches the stored states they are compared with; runs `onFailure` (must
   * jump away) without memory. Expressions: `isNoted`, true if `note` has seen this very list; `isPrepared`, true if it was
   * prepared before.
   */
  prepare(isNoted: string, onFailure: string, isPrepared?: string): string;
  /** Names entry `i` of the list for `find`, `insert` and `wait`. */
  entry(i: string): string;
  /** Looks for the named state; runs `onFound` (must jump away) when it is there; else `slot` is the place for it. */
  find(onFound: string): string;
  /** In `onFound`: the number of the state that was found. Absent: this store does not know it. */
  readonly foundId?: string;
  /** Is there room for it? */
  readonly isFull: string;
  /**
   * Enters the named state at `slot`; `position` is its place among the parent's successors. If threads share the store, runs `onLost` (must
   * jump away, to look for it again) when another one has taken the place.
   */
  insert(parent: string, position: string, onLost?: string): string;
  /** Reference to the state just entered. */
  readonly ref: readonly string[];
  /** Copies the named state to `to[toAt…]`, and restores it from there. */
  wait(to: string, toAt: string): string;
  resume(from: string, fromAt: string): string;
}
