/** Differences between an implementation and the reference that the standard leaves open, each with its clause. */
import { withFinAsProbe, type ControlBlock } from "./reference.js";

/** Old and new state and outputs of the reference, and outputs of the implementation. */
export interface Difference {
  readonly before: ControlBlock;
  readonly block: ControlBlock;
  readonly expected: readonly string[];
  readonly outputs: readonly string[];
}

export interface Allowance {
  readonly name: string;
  readonly clause: string;
  matches(difference: Difference): boolean;
  /** The next state of the reference. */
  accepted(difference: Difference): ControlBlock;
}

export const allowances: readonly Allowance[] = [
  {
    name: "T5",
    clause:
      "RFC 793, 3.7: a zero window must be probed with at least one octet of new data, if there is any; a FIN takes a number, too",
    matches: ({ block, expected, outputs }) => {
      const isClosed = block.wnd === 0 && block.fin === "queued" && block.waiting === "";
      const probe = isClosed ? withFinAsProbe(block).outputs : [];
      return isClosed && outputs.join() === [...expected, ...probe].join();
    },
    accepted: ({ block }) => withFinAsProbe(block).block,
  },
];
