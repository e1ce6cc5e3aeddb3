/** Breadth-first searches expand states in batches: how large one gets, and the loops that expand and enter it, as text. */
import type { SharedCode } from "./loop-code.js";
import { emitFirstCandidate } from "./reduction.js";

/** A batch ends with the state whose successors reach this number. */
const BATCH_SUCCESSORS = 128;
export const BATCH_SOURCES = 256;

/** Store operations that the loop uses (`loop-code.ts`): locals, the state with number `id`, and a note of its successors. */
interface ExpandCode {
  readonly locals: string;
  readonly load: string;
  readonly note: string;
}

/**
 * `expandStates(head, end)`: writes the successors of the states from `head` on into `offered`, and the end of each state's
 * successors into `ends`; returns the number of states expanded.
 */
export const emitExpand = (code: ExpandCode, width: number, isReduced: boolean): string => `
function expandStates(head, end) {
  ${code.locals}
  offered.clear();
  let id = head;
  // sound: test/engines/stores/flat-states.test.ts
  while (id < end && offered.count < ${BATCH_SUCCESSORS}) {
    const first = offered.count;
    ${code.load}
    ${isReduced ? emitFirstCandidate : "system.successors(from, fromAt, offered);"}
    ${code.note}
    ends[id - head] = offered.count;
    id++;
    // sound: test/engines/stores/flat-states.test.ts
    if (offered.stride !== ${width}) break; // states became wider: these loops are no longer the right ones
  }
  return id - head;
}`;

/**
 * Differences between searches when a list is entered: whether `expand` made it (an expression), the reaction to lack of
 * room, and the step of its parent that leads to entry `i` (an expression).
 */
export interface Entering {
  readonly isNoted: string;
  readonly whenFull: string;
  readonly step: string;
  /** Text for entry `i`, a successor of state `head + origin`: it is known as state `foundId`; it was entered as state `count`. */
  readonly onFound?: string | undefined;
  readonly onEntered?: string | undefined;
  /** Text that runs when all entries of state `head + origin` are in, before the next state's. */
  readonly onOrigin?: string | undefined;
}

/**
 * The body of a function with the parameters `words`, `from`, `length` and `head`, where the text around has a variable `unused`: looks
 * the list's entries up from entry `from` on and inserts the new ones. It gives the entry at which there was no room, else the
 * list's length; -1 when there is no memory to look anything up.
 */
export const emitEnterList = (
  code: SharedCode,
  { isNoted, whenFull, step, onFound = "", onEntered = "", onOrigin = "" }: Entering,
): string => `
  ${code.locals}
  ${code.prepare(isNoted, "return -1;", "from > 0")}
  unused = touched; // so that the reads are not optimised away
  let origin = 0;
  let i = from;
  // sound: test/engines/stores/conditions.test.ts
  next: for (; i < length; i++) {
    ${code.entry("i")}
    ${onFound && emitOrigin(onOrigin)}
    ${code.find(`{ ${onFound} continue next; }`)}
    if (${code.isFull}) ${whenFull}
    ${onFound ? "" : emitOrigin("")}
    ${code.insert("head + origin", step, "{ i--; continue next; }")}
    ${onEntered}
  }
  store.count = count;
  return i;`;

// sound: test/engines/stores/conditions.test.ts
const emitOrigin = (onOrigin: string): string => `while (ends[origin] <= i) { ${onOrigin} origin++; }`;
