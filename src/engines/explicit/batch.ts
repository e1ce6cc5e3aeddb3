/** Breadth-first searches expand states in batches: how large one gets, and the loop that expands it, as text. */
import { emitFirstCandidate } from "./reduction.js";

/** A batch ends with the state whose successors reach this number. */
export const BATCH_SUCCESSORS = 128;
export const BATCH_SOURCES = 256;

/** What the loop needs of a store (`loop-code.ts`): its locals, the state with number `id`, and a note of its successors. */
interface ExpandCode {
  readonly locals: string;
  readonly load: string;
  readonly note: string;
}

/**
 * `expand(head, end)`: writes the successors of the states from `head` on into `offered`, and into `ends` where those of each
 * end; the number of states expanded.
 */
export const emitExpand = (code: ExpandCode, width: number, isReduced: boolean): string => `
function expand(head, end) {
  ${code.locals}
  offered.clear();
  let id = head;
  while (id < end && offered.count < ${BATCH_SUCCESSORS}) {
    const first = offered.count;
    ${code.load}
    ${isReduced ? emitFirstCandidate : "system.successors(from, fromAt, offered);"}
    ${code.note}
    ends[id - head] = offered.count;
    id++;
    if (offered.stride !== ${width}) break; // states became wider: these loops are no longer the right ones
  }
  return id - head;
}`;
