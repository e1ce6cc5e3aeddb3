/**
 * Ten packages for concurrency control and the invariants checked on their public interfaces. Names, versions and
 * invariants were fixed before any check; `package.json` has the same versions.
 */

export interface Planned {
  readonly package: string;
  readonly version: string;
  readonly kind: "lock" | "semaphore" | "queue" | "rate limiter" | "pool" | "cache" | "retry";
  readonly invariants: readonly string[];
}

export const plan: readonly Planned[] = [
  {
    package: "async-mutex",
    version: "0.5.0",
    kind: "lock",
    invariants: [
      "at most one caller is inside runExclusive, and every caller gets in",
      "a caller whose withTimeout is over does not keep the lock",
      "cancel rejects waiting callers and leaves the holder its lock",
      "a semaphore of 3 is never overdrawn by weights, and all weights get in",
    ],
  },
  {
    package: "async-lock",
    version: "1.5.0",
    kind: "lock",
    invariants: [
      "tasks of one key run one at a time, even if one fails",
      "a task that was rejected by its timeout never runs, and the next one does",
      "a task of two keys excludes the tasks of either",
    ],
  },
  {
    package: "async-sema",
    version: "3.1.1",
    kind: "semaphore",
    invariants: [
      "at most 2 hold it at once, in the order of their asking",
      "after drain it is free, and it can be taken again when released",
    ],
  },
  {
    package: "p-limit",
    version: "7.3.3",
    kind: "queue",
    invariants: [
      "at most 2 functions run at once, and a rejection frees its place",
      "when all is settled nothing counts as active or pending",
      "after clearQueue no function of before starts",
    ],
  },
  {
    package: "p-queue",
    version: "9.3.5",
    kind: "queue",
    invariants: [
      "at most 2 jobs run at once, and onIdle comes after the last",
      "a job whose signal was aborted while it waited never starts, and the queue becomes idle",
      "a paused queue starts nothing until it is started again",
    ],
  },
  {
    package: "bottleneck",
    version: "2.19.5",
    kind: "rate limiter",
    invariants: [
      "at most 2 jobs run at once, and all of them do",
      "jobs begin at least minTime apart",
      "after stop with dropWaitingJobs no job begins, and stop is over when none runs",
    ],
  },
  {
    package: "generic-pool",
    version: "3.9.0",
    kind: "pool",
    invariants: [
      "no resource is lent to two, at most max exist, everyone gets one",
      "everyone gets a resource although one creation fails",
      "after drain and clear every resource is destroyed, once",
    ],
  },
  {
    package: "lru-cache",
    version: "11.5.3",
    kind: "cache",
    invariants: [
      "concurrent fetches of a key make one call and get its value",
      "a value set during a fetch is not replaced by the fetch's answer",
      "a key deleted during a fetch does not come back with its answer",
    ],
  },
  {
    package: "dataloader",
    version: "2.2.3",
    kind: "cache",
    invariants: [
      "a key is requested once, and every load gets the value of its key",
      "a load after clear never returns a value read before the clear",
      "a key that failed gives its error to each who loads it, and others their values",
    ],
  },
  {
    package: "p-retry",
    version: "7.1.1",
    kind: "retry",
    invariants: [
      "attempts come one at a time, at most retries + 1, and it fulfils exactly if one of them does",
      "no attempt begins after the signal was aborted",
    ],
  },
];
