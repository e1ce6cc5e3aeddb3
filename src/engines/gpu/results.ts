/** Numbers that the kernels and the host share. */
/** Buffers that hold states; a power of two is not needed, since the number is a constant of the kernel. */
export const CHUNKS = 8;

/** Buffers of the table: the first two bits of a hash choose one, so that none is larger than drivers can handle. */
export const PARTS = 4;

/** Positions in the results of a launch. */
export const Result = {
  /** States and holes so far: the next free number. */
  tail: 0,
  holes: 1,
  /** There was no room, in the store or the table. Every work item reads it, so it stands apart from the tail, which every work item changes. */
  full: 16,
  /** A work item had no room for intermediate states. */
  overflow: 17,
  /** Number of a function of the host that was called, plus 1, and its arguments. */
  host: 18,
  hostFirst: 19,
  hostSecond: 20,
  /** The text did something that it should not do on a device. */
  beyond: 21,
  /** States found twice. */
  duplicates: 22,
  /** States located. */
  located: 23,
  /** Partial-order reduction: states of which one process alone was expanded, states expanded fully after all candidates, rejected candidates. */
  reduced: 24,
  fullByProviso: 25,
  rejected: 26,
  /** The table of nodes had no room (`full` is set, too). */
  nodesFull: 27,
  /** From here on, in several words, so that work items do not wait for each other. */
  transitions: 32,
  /** Then for each cause: occurrences, and the smallest hash of a state. */
  causes: 32 + 64,
} as const;

/** Words of a sum. */
export const STRIPES = 64;

export const MOST_LOCATED = 64;

/** Number of each kind of cause. */
export const causesOf = (sites: number) => ({
  site: (site: number): number => site,
  deadlock: sites,
  stuckInside: sites + 1,
  invariant: (position: number): number => sites + 2 + position,
});
