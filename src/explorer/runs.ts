/** Running and finished checks, newest last. Each has a separate thread. */
import type { Worker } from "node:worker_threads";
import type { CheckMessage, CheckResult } from "./check-service.js";
import { refusal, type Refusal } from "./gate.js";
import type { Progress, RunRequest, RunView, ServerEvent, TraceView } from "./protocol.js";
import type { ModelSource } from "./threads.js";

export class Runs {
  readonly #source: ModelSource;
  readonly #publish: (event: ServerEvent) => void;
  readonly #runs: Run[] = [];
  #last = 0;
  #isClosed = false;

  constructor(source: ModelSource, publish: (event: ServerEvent) => void) {
    this.#source = source;
    this.#publish = publish;
  }

  async start(request: RunRequest, mark: string): Promise<RunView | Refusal> {
    if (this.#runs.filter(({ view }) => view.state !== "done").length >= MOST_AT_ONCE)
      return refusal(409, `${MOST_AT_ONCE} checks are running: stop one, or wait for it`);
    const { startThread } = await import("./threads.js");
    // A thread that begins after the end would keep the process alive.
    if (this.#isClosed) return refusal(503, "the explorer is being stopped");
    const stop = new SharedArrayBuffer(4);
    const thread = startThread({ task: "check", source: this.#source, request, stop });
    const id = ++this.#last;
    const view: RunView = { id, request, mark, state: "running", history: [], answer: null };
    const run: Run = { view, thread, stop: new Int32Array(stop), result: undefined, timer: undefined };
    this.#runs.push(run);
    if (this.#runs.length > MOST_KEPT) this.#runs.splice(0, this.#runs.length - MOST_KEPT);
    thread.on("message", (message: CheckMessage) => this.#hear(run, message));
    thread.on("error", (error) => this.#finish(run, { kind: "broken", message: problemOf(error) }));
    thread.on("exit", () => this.#finish(run, { kind: "broken", message: "the search was ended" }));
    this.#publish({ kind: "run", run: view });
    return view;
  }

  /** Requests a stop with results; ends a search that does not respond. */
  stop(id: number): RunView | Refusal {
    const run = this.#find(id);
    if (!run) return refusal(404, `there is no run ${id}`);
    if (run.view.state !== "running") return run.view;
    Atomics.store(run.stop, 0, 1);
    run.timer = setTimeout(() => void run.thread.terminate(), PATIENCE_MS);
    this.#change(run, { state: "stopping" });
    return run.view;
  }

  all(): readonly RunView[] {
    return this.#runs.map(({ view }) => view);
  }

  html(id: number): string | undefined {
    return this.#find(id)?.result?.html;
  }

  /** The schedule of a property's trace, or the trace itself if it has no model. */
  trace(id: number, property: number): TraceView | undefined {
    return this.#find(id)?.result?.traces[property] ?? undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#runs) clearTimeout(timer);
    await Promise.all(this.#runs.map(({ thread }) => thread.terminate()));
  }

  #find(id: number): Run | undefined {
    return this.#runs.find(({ view }) => view.id === id);
  }

  #hear(run: Run, message: CheckMessage): void {
    switch (message.kind) {
      case "progress":
        run.view = { ...run.view, history: thinned([...run.view.history, message.progress]) };
        return this.#publish({ kind: "progress", id: run.view.id, progress: message.progress });
      case "report":
        run.result = message.result;
        return this.#finish(run, { kind: "report", ...message.result.summary });
      case "broken":
        return this.#finish(run, message);
    }
  }

  /** The first answer counts: a thread also ends after it has answered. */
  #finish(run: Run, answer: NonNullable<RunView["answer"]>): void {
    if (run.view.state === "done") return;
    clearTimeout(run.timer);
    this.#change(run, { state: "done", answer });
    void run.thread.terminate();
  }

  #change(run: Run, change: Partial<RunView>): void {
    run.view = { ...run.view, ...change };
    this.#publish({ kind: "run", run: run.view });
  }
}

interface Run {
  view: RunView;
  readonly thread: Worker;
  readonly stop: Int32Array;
  result: CheckResult | undefined;
  timer: NodeJS.Timeout | undefined;
}

const MOST_AT_ONCE = 2;
const MOST_KEPT = 20;
const PATIENCE_MS = 4000;
const MOST_POINTS = 400;

/** Every other point is dropped when there are too many: the shape of the curve stays. */
const thinned = (history: readonly Progress[]): readonly Progress[] =>
  history.length <= MOST_POINTS ? history : history.filter((_, index) => index % 2 === 0);

const problemOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException;
  return code === "ERR_WORKER_OUT_OF_MEMORY" ? "the search ran out of memory" : message;
};
