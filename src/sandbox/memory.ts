/** How much memory there is. */
import { totalmem } from "node:os";

/** What a search may use unless it is told: most of the machine, so that it stops before the machine does. */
export const defaultMemoryBytes = (): number => (ofThisMachine ??= mostOfTheMachine());

const mostOfTheMachine = (): number =>
  Math.floor(0.8 * Math.min(totalmem(), process.constrainedMemory() || Infinity));
/** Asked once: Node reads it from files. */
let ofThisMachine: number | undefined;
