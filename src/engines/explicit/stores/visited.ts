/**
 * What the searches over states that are not kept whole ask of a store (`queue-order.ts`, `stack-order.ts`).
 *
 * A *link* is one word that leads from a state to a successor; what it means is the store's business.
 */
import type { Words } from "../../../model/index.js";

export interface Visited {
  /** States entered; a state's number is the count after it. */
  readonly count: number;
  /** Why the last state was refused. */
  readonly refusal: Refusal | undefined;
  /** From now on states have `width` words. */
  widen(width: number): void;
  /** The states looked up next are successors of state `id`, which is at `words[at…]`. */
  expand(id: number, words: Words, at: number, depth: number): void;
  /** Was the successor visited? `entry` and `label` say where it stands in the list. */
  has(words: Words, at: number, entry: number, label: number): boolean;
  /** The link to the successor, or -1 when there is no memory for it. */
  link(words: Words, at: number, entry: number, label: number): number;
  /** Enters the successor: its number, 0 if it was visited, -1 with `refusal` set. */
  addSuccessor(words: Words, at: number, entry: number, label: number): number;
  /** The same for a state whose parent, link and depth are given. */
  add(words: Words, at: number, parent: number, link: number, depth: number): number;
  /** The numbers of the states on the way to `id` that was found breadth-first. */
  pathTo(id: number): Int32Array;
  /** The numbers of the states on a stack of which numbers and links are given. */
  pathAlong(ids: Int32Array, links: Int32Array): Int32Array;
  /** A copy of a state on a path. */
  state(id: number): Words;
}

export type Refusal = "states" | "memory" | "full";
