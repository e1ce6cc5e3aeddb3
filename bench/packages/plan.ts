/**
 * Packages with concurrency in them and the invariants checked on their public interfaces. Names, versions and
 * invariants were fixed before any check, `lacks` after the first; `package.json` has the same versions.
 */

export interface Planned {
  readonly package: string;
  readonly version: string;
  readonly kind:
    | "lock"
    | "semaphore"
    | "queue"
    | "rate limiter"
    | "pool"
    | "cache"
    | "retry"
    | "breaker"
    | "events"
    | "stream"
    | "store"
    | "scheduler";
  readonly invariants: readonly string[];
  /** Bounds periodic work of the package beside requests. */
  readonly late?: number;
  /** A feature that the package needs and worlds lack: the verdict is unknown and names it. */
  readonly lacks?: string;
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
  {
    package: "await-lock",
    version: "3.0.0",
    kind: "lock",
    invariants: [
      "at most one holds the lock, and everyone gets it",
      "a caller whose timeout is over does not get the lock, and the next one does",
    ],
  },
  {
    package: "await-semaphore",
    version: "0.1.3",
    kind: "semaphore",
    invariants: ["at most 2 use it at once, and a rejection frees its place"],
  },
  {
    package: "semaphore-async-await",
    version: "1.5.1",
    kind: "semaphore",
    invariants: ["at most 2 hold it at once, and everyone gets it"],
  },
  {
    package: "rwlock",
    version: "5.0.0",
    kind: "lock",
    invariants: [
      "a writer excludes everyone, and everyone gets the lock",
      "a request whose timeout is over gets no lock, and those behind it do",
    ],
  },
  {
    package: "mutexify",
    version: "1.4.0",
    kind: "lock",
    invariants: ["one holds the lock at a time, in the order of asking"],
  },
  {
    package: "fastq",
    version: "1.20.3",
    kind: "queue",
    invariants: [
      "at most 2 tasks run at once, and each caller gets the result of its task",
      "drained is over when no task runs",
    ],
  },
  {
    package: "queue",
    version: "7.0.0",
    kind: "queue",
    invariants: ["at most 2 jobs run at once, and start is over when all are done"],
  },
  {
    package: "async",
    version: "3.2.6",
    kind: "queue",
    invariants: [
      "at most 2 tasks of a queue run at once, and drain comes after the last",
      "mapLimit runs at most 2 at once and keeps the order",
      "auto runs a task after all it depends on",
    ],
  },
  {
    package: "p-all",
    version: "5.0.1",
    kind: "queue",
    invariants: ["at most 2 run at once, and results keep the order"],
  },
  {
    package: "p-map",
    version: "7.1.1",
    kind: "queue",
    invariants: ["at most 2 run at once, and results keep the order"],
  },
  {
    package: "throat",
    version: "6.0.2",
    kind: "queue",
    invariants: ["at most 2 run at once, and results keep the order"],
  },
  {
    package: "promise-limit",
    version: "2.7.0",
    kind: "queue",
    invariants: ["at most 2 run at once, and results keep the order"],
  },
  {
    package: "tiny-async-pool",
    version: "2.1.0",
    kind: "queue",
    invariants: ["at most 2 run at once, and every result comes once"],
  },
  {
    package: "@supercharge/promise-pool",
    version: "3.3.0",
    kind: "pool",
    invariants: ["at most 2 run at once, and results and errors account for every item"],
  },
  {
    package: "promise-retry",
    version: "2.0.1",
    kind: "retry",
    invariants: ["attempts come one at a time, at most retries + 1, and it fulfils exactly if one does"],
  },
  {
    package: "async-retry",
    version: "1.3.3",
    kind: "retry",
    invariants: [
      "attempts come one at a time, at most retries + 1, and it fulfils exactly if one does",
      "no attempt begins after bail",
    ],
  },
  {
    package: "p-timeout",
    version: "7.0.2",
    kind: "retry",
    invariants: ["it settles like the promise, or rejects when the time is over, and its timer is gone"],
  },
  {
    package: "p-wait-for",
    version: "6.0.0",
    kind: "retry",
    invariants: ["conditions are checked one at a time, and it is over when one holds"],
  },
  {
    package: "p-event",
    version: "7.1.1",
    kind: "events",
    invariants: ["it gives the first event after the call, or its timeout, and leaves no listener"],
  },
  {
    package: "memoizee",
    version: "0.4.17",
    kind: "cache",
    invariants: [
      "concurrent calls of a key make one call and get its value",
      "a call that was rejected is made again",
      "a call after clear never returns a value asked for before the clear",
    ],
  },
  {
    package: "p-memoize",
    version: "8.0.0",
    kind: "cache",
    invariants: [
      "concurrent calls of a key make one call and get its value",
      "a call that was rejected is made again",
      "a call after clear never returns a value asked for before the clear",
    ],
  },
  {
    package: "async-cache-dedupe",
    version: "3.4.0",
    kind: "cache",
    invariants: ["concurrent calls of a key make one call and get its value"],
  },
  {
    package: "promise-inflight",
    version: "1.0.1",
    kind: "cache",
    invariants: ["concurrent calls of a key make one call, and a call after its end makes another"],
  },
  {
    package: "keyv",
    version: "5.6.0",
    kind: "store",
    invariants: ["a value is not returned after its time, and is before"],
  },
  {
    package: "node-cache",
    version: "5.1.2",
    kind: "cache",
    invariants: ["a value is not returned after its time"],
  },
  {
    package: "limiter",
    version: "4.1.0",
    kind: "rate limiter",
    invariants: ["no more tokens are removed within an interval than it has, and everyone gets one"],
  },
  {
    package: "opossum",
    version: "9.0.0",
    kind: "breaker",
    invariants: ["an open breaker calls nothing before its time is over"],
    late: 2,
  },
  {
    package: "cockatiel",
    version: "3.2.1",
    kind: "breaker",
    invariants: [
      "a bulkhead of 1 and a queue of 1 runs one, then another, and rejects the third",
      "an open breaker calls nothing, and a half-open one lets one call through",
    ],
  },
  {
    package: "tarn",
    version: "3.1.2",
    kind: "pool",
    invariants: ["no resource is lent to two, at most max exist, and everyone gets one"],
    late: 1,
  },
  {
    package: "emittery",
    version: "1.2.1",
    kind: "events",
    invariants: [
      "emit waits for every listener",
      "emitSerial calls listeners one after another, in their order",
    ],
  },
  {
    package: "eventemitter3",
    version: "5.0.4",
    kind: "events",
    invariants: ["a once listener is called once, although it emits again"],
  },
  {
    package: "through2",
    version: "5.0.12",
    kind: "stream",
    invariants: ["chunks keep their order through a slow transform"],
  },
  {
    package: "split2",
    version: "4.2.0",
    kind: "stream",
    lacks: "stream._writableState.errorEmitted =",
    invariants: ["lines are the same however the text is cut"],
  },
  {
    package: "pump",
    version: "3.0.4",
    kind: "stream",
    invariants: ["the callback comes once, and an error destroys every stream"],
  },
  {
    package: "concat-stream",
    version: "2.0.0",
    kind: "stream",
    invariants: ["the whole comes at the end, in order"],
  },
  {
    package: "duplexify",
    version: "4.1.3",
    kind: "stream",
    invariants: ["what is written before the streams are set arrives, in order"],
  },
  {
    package: "p-series",
    version: "3.0.0",
    kind: "queue",
    invariants: ["one task runs at a time, and results keep the order"],
  },
  {
    package: "p-settle",
    version: "5.2.1",
    kind: "queue",
    invariants: ["at most 2 run at once, and every result is reported in order"],
  },
  {
    package: "p-lazy",
    version: "5.0.0",
    kind: "cache",
    invariants: ["the executor runs once, at the first use"],
  },
  {
    package: "p-cancelable",
    version: "4.0.1",
    kind: "retry",
    invariants: ["a cancelled promise rejects, and its handler runs once"],
  },
  {
    package: "p-debounce",
    version: "5.1.1",
    kind: "rate limiter",
    invariants: [
      "every caller gets the result of the next run, which has the last arguments",
      "a call during a run is answered by a later run",
      "with after, the latest data is never lost",
      "with after, the latest data is saved although an earlier save fails",
      "with before, every call of a burst gets the value of the leading call",
      "with before, a burst whose leading call fails is rejected as a whole",
      "after its signal is aborted, the function is not called",
    ],
  },
  {
    package: "debounce-promise",
    version: "3.1.2",
    kind: "rate limiter",
    invariants: ["every caller gets the result of a run with the last arguments of its burst"],
  },
  {
    package: "perfect-debounce",
    version: "2.1.0",
    kind: "rate limiter",
    invariants: ["one run at a time, and the last call's arguments are passed in the end"],
  },
  {
    package: "p-throttle",
    version: "8.1.1",
    kind: "rate limiter",
    invariants: ["at most 2 calls begin within an interval, and all do"],
  },
  {
    package: "toad-scheduler",
    version: "4.1.0",
    kind: "scheduler",
    invariants: ["with preventOverrun, one run of a task at a time, and none begins after stop"],
    late: 2,
  },
  {
    package: "memory-level",
    version: "3.1.0",
    kind: "store",
    invariants: ["a batch is seen as a whole or not at all"],
  },
  {
    package: "graceful-fs",
    version: "4.2.12",
    kind: "store",
    invariants: ["every file is read although the process runs out of descriptors once"],
  },
  {
    package: "proper-lockfile",
    version: "4.1.2",
    kind: "lock",
    lacks: "fs.utimes",
    invariants: ["at most one holds the lock of a file, and it can be taken again when released"],
    late: 1,
  },
  {
    package: "p-locate",
    version: "7.0.0",
    kind: "queue",
    invariants: ["the first element in order that passes is found, with at most 2 tests at once"],
  },
  {
    package: "p-filter",
    version: "4.1.0",
    kind: "queue",
    invariants: ["the elements that pass are kept in order, with at most 2 filters at once"],
  },
  {
    package: "p-times",
    version: "4.0.0",
    kind: "queue",
    invariants: ["results come in order, with at most 2 mappers at once"],
  },
  {
    package: "p-each-series",
    version: "3.0.0",
    kind: "queue",
    invariants: ["elements are taken one at a time, in order, and none after stop"],
  },
];
