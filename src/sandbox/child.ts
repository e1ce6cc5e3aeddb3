/** The process in which code under test runs: waits for one job, locks itself, does the job, reports the outcome, and ends. */
import { writeSync } from "node:fs";
import { dirname } from "node:path";
import { lockDown } from "../code/isolation/index.js";
import type { Diagnostic } from "../model/index.js";
import { nth } from "../model/known.js";
import { channel, framed, type FromChild, type Job, type ToChild } from "./protocol.js";
import { endWith } from "./watchdog.js";

/** Does one kind of job. */
export interface Worker<J extends Job> {
  /** Fetches resources that are out of reach once the process is locked. */
  prepare?(job: J): unknown;
  /** Answers with plain data. */
  work(job: J, parent: Parent): unknown;
  /** Diagnoses an error of the system; undefined: an internal error. */
  problemOf?(error: unknown, job: J): Diagnostic | undefined;
}

/** The parent process, as seen by the worker. */
export interface Parent {
  send(news: unknown): void;
  /** A sign of life. */
  beAlive(): void;
  isStopped(): boolean;
  /** Subscribes to questions of the parent; replays earlier ones. */
  onAsked(listen: (asked: unknown) => void): void;
}

/** `workers`: by kind of job, loaded on demand. */
export function serve(workers: Readonly<Record<string, () => Promise<Worker<never>>>>): void {
  // The permission model allows no threads: there the parent limits the processor time.
  const hasThreads = (process as { permission?: unknown }).permission === undefined;
  if (hasThreads) endWith(Number(process.argv[2]));
  // The terminal signals both processes; the parent decides.
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
  let isStopped = false;
  let listen: ((asked: unknown) => void) | undefined;
  const waiting: unknown[] = [];
  const parent: Parent = {
    send: (news) => say({ kind: "news", news }),
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
    if (job.lock) {
      const { reads, ...rest } = job.lock;
      lockDown({ ...rest, reads: [dirname(nth(process.argv, 1)), ...reads] });
    }
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

/** Saved before the lock. */
const write = writeSync;

/** A full pipe accepts a message in parts. */
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
