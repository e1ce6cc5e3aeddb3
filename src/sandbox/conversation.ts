/** Gives a job to the process that runs code under test, and supervises it until it answers, dies or hangs. */
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { channel, Frames, type Answer, type FromChild, type Job, type ToChild } from "./protocol.js";

export type Ending<A> =
  | { readonly kind: "answered"; readonly answer: A }
  | Exclude<Ended, { kind: "broken" }>
  /** The process met an internal error. */
  | { readonly kind: "broken"; readonly error: Error };

type Ended =
  | Exclude<Answer, { kind: "done" }>
  /** It died, probably out of memory. */
  | { readonly kind: "gone"; readonly reason: string }
  | { readonly kind: "hung" }
  /** It was stopped on request. */
  | { readonly kind: "stopped" };

export interface Conversation<News> {
  readonly hangMs?: number | undefined;
  onNews?(news: News): void;
  isStopped?(): boolean;
  /** The process reads no messages while it works: stopping means ending it. */
  readonly isDeaf?: boolean;
  /** The caller handles signals; the child ends with this process in any case. */
  readonly leavesSignals?: boolean;
}

/** `A` and `News`: types of the answer and of messages on the way. */
export function converse<A, News = never>(
  child: ChildProcess,
  job: Job,
  conversation: Conversation<News>,
): Promise<Ending<A>> {
  return new Promise((resolve) => {
    let answer: Answer | undefined;
    let complaints = "";
    let isEnded = false;
    const patience = new Patience(START_MS, conversation.hangMs ?? HANG_MS, () => child.kill("SIGKILL"));
    const asking = setInterval(() => {
      if (!conversation.isStopped?.()) return;
      clearInterval(asking);
      if (conversation.isDeaf) isEnded = child.kill("SIGKILL");
      else say(child, { kind: "stop" });
    }, ASK_MS);
    const release = conversation.leavesSignals
      ? () => undefined
      : endTogether(child, conversation.isStopped !== undefined);
    const hear = (message: FromChild): void => {
      if (message.kind === "news") return conversation.onNews?.(message.news as News);
      if (message.kind === "alive") return;
      answer = message;
      // The job is done; a connected debugger would keep the process alive.
      child.kill("SIGKILL");
    };
    const frames = new Frames();
    (child.stdio[channel] as Readable).on("data", (part: Buffer) => {
      patience.renew();
      frames.push(part).forEach(hear);
    });
    child.stderr?.on("data", (data: Buffer) => {
      complaints = (complaints + data.toString("utf8")).slice(-4000);
    });
    const finish = (ended: Ended): void => {
      patience.end();
      clearInterval(asking);
      release();
      resolve(endingOf<A>(answer ?? ended));
    };
    child.on("error", (error) => finish({ kind: "gone", reason: error.message }));
    child.on("close", (code, signal) => {
      if (patience.isOver) finish({ kind: "hung" });
      else if (isEnded) finish({ kind: "stopped" });
      else finish({ kind: "gone", reason: reasonOf(code, signal, complaints) });
    });
    say(child, { kind: "job", job });
  });
}

function endingOf<A>(ended: Answer | Ended): Ending<A> {
  if (ended.kind === "done") return { kind: "answered", answer: ended.answer as A };
  if (ended.kind !== "broken") return ended;
  const error = new Error(ended.message);
  error.stack = ended.stack;
  return { kind: "broken", error };
}

/** Sends a question during the job. */
export const ask = (child: ChildProcess, asked: unknown): void => say(child, { kind: "ask", asked });

/** The `close` event reports a dead process. */
function say(child: ChildProcess, message: ToChild): void {
  if (child.connected) child.send(message, () => undefined);
}

/** Generous: a search may enlarge its tables, and the machine may be busy. */
const HANG_MS = 20_000;
const ASK_MS = 50;
/** Limit until the first sign of life: the process may still be starting. */
const START_MS = 30_000;

/** A timer that every sign of life resets. */
class Patience {
  isOver = false;
  readonly #ms: number;
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout;
  #hasBegun = false;
  #isLast = false;

  constructor(startMs: number, ms: number, onEnd: () => void) {
    this.#ms = ms;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(() => this.#expire(), startMs);
  }

  renew(): void {
    if (this.#hasBegun && !this.#isLast) return void this.#timer.refresh();
    clearTimeout(this.#timer);
    this.#hasBegun = true;
    this.#isLast = false;
    this.#timer = setTimeout(() => this.#expire(), this.#ms);
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** If this process itself was not scheduled, signs of life may be waiting to be read. */
  #expire(): void {
    if (!this.#isLast) {
      this.#isLast = true;
      this.#timer = setTimeout(() => this.#expire(), LAST_CHANCE_MS);
      return;
    }
    this.isOver = true;
    this.#onEnd();
  }
}

const LAST_CHANCE_MS = 500;

/** Ends the child with this process. The first Ctrl-C may be a request to stop, which the caller handles; the second is not. */
function endTogether(child: ChildProcess, isAskedFirst: boolean): () => void {
  let interrupts = 0;
  const end = (signal: NodeJS.Signals): void => {
    if (signal === "SIGINT" && isAskedFirst && interrupts++ === 0) return;
    child.kill("SIGKILL");
    release();
    process.kill(process.pid, signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, end);
  const release = (): void => {
    for (const signal of signals) process.off(signal, end);
  };
  return release;
}

function reasonOf(code: number | null, signal: string | null, complaints: string): string {
  if (/heap out of memory|allocation failed|out of memory/i.test(complaints)) return "it ran out of memory";
  const first = complaints.split("\n").find((line) => /Error|FATAL/.test(line)) ?? "";
  return `it ended with ${signal ?? `exit code ${code}`}${first ? `: ${first.trim()}` : ""}`;
}
