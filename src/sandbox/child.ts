/** The process in which code under test runs: waits for one job, locks itself, does the job, says how it went, and ends. */
import { writeSync } from "node:fs";
import { dirname } from "node:path";
import { lockDown } from "../code/isolation/index.js";
import type { Diagnostic } from "../model/index.js";
import { channel, framed, type FromChild, type Job, type ToChild } from "./protocol.js";
import { endWith } from "./watchdog.js";

/** Does one kind of job. */
export interface Worker<J extends Job> {
  /** Fetches what cannot be fetched from outside once the process is locked. */
  prepare?(job: J): unknown;
  /** Answers with plain data. */
  work(job: J, parent: Parent): unknown;
  /** What an error says about the system; undefined: it is a bug of ours. */
  problemOf?(error: unknown, job: J): Diagnostic | undefined;
}

/** The process that gave out the job, as the worker sees it. */
export interface Parent {
  tell(news: unknown): void;
  /** A sign of life. */
  beAlive(): void;
  isStopped(): boolean;
  /** Questions on the way, those that have come already first. */
  onAsked(listen: (asked: unknown) => void): void;
}

/** `workers`: by kind of job, loaded when one comes. */
export function serve(workers: Readonly<Record<string, () => Promise<Worker<never>>>>): void {
  // The permission model allows no threads: there the parent limits the processor time.
  const hasThreads = (process as { permission?: unknown }).permission === undefined;
  if (hasThreads) endWith(Number(process.argv[2]));
  // The terminal tells both processes; the other one decides what it means.
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
  let isStopped = false;
  let listen: ((asked: unknown) => void) | undefined;
  const waiting: unknown[] = [];
  const parent: Parent = {
    tell: (news) => say({ kind: "news", news }),
    beAlive: () => say({ kind: "alive" }),
    isStopped: () => isStopped,
    onAsked: (listener) => {
      listen = listener;
      waiting.splice(0).forEach(listener);
    },
  };
  process.on("message", (message: ToChild) => {
    if (message.kind === "stop") isStopped = true;
    else if (message.kind === "ask") (listen ?? ((asked) => waiting.push(asked)))(message.asked);
    else void begin(message.job, workers, parent);
  });
}

async function begin(job: Job, workers: Parameters<typeof serve>[0], parent: Parent): Promise<void> {
  let worker: Worker<Job> | undefined;
  try {
    worker = (await workers[job.kind]!()) as Worker<Job>;
    await worker.prepare?.(job);
    const { reads, ...rest } = job.lock;
    lockDown({ ...rest, reads: [dirname(process.argv[1]!), ...reads] });
    parent.beAlive();
    say({ kind: "done", answer: await worker.work(job, parent) });
  } catch (error) {
    say(failureOf(error, worker?.problemOf?.(error, job)));
  }
  process.exit();
}

function failureOf(error: unknown, problem: Diagnostic | undefined): FromChild {
  if (problem) return { kind: "refused", problem };
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  return { kind: "broken", message, stack };
}

/** Kept from before the lock. */
const write = writeSync;

/** A full pipe takes a part at a time. */
function say(message: FromChild): void {
  const bytes = framed(message);
  for (let at = 0; at < bytes.length;) {
    try {
      at += write(channel, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
  }
}
