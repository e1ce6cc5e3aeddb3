/** Memory of the machine. */
import { totalmem } from "node:os";

/** Default budget of a search: most of the machine's memory, so that the search stops before the machine does. */
export const defaultMemoryBytes = (): number => (ofThisMachine ??= mostOfTheMachine());

const mostOfTheMachine = (): number =>
  Math.floor(0.8 * Math.min(totalmem(), process.constrainedMemory() || Infinity));
/** Cached: Node reads it from files. */
let ofThisMachine: number | undefined;
