/**
 * A realm: a `vm` context with separate globals, promise jobs and module instances, in which a world runs.
 *
 * A boundary of determinism, not of security. Objects of the host never enter, except for one function from text to text
 * that the world hides (`pure.ts`): code enters as scripts, data as JSON in their text; results are numbers and strings. Every entry is an evaluation, because promise jobs of the realm run only
 * at the end of an evaluation.
 */
import { constants, createContext, Script, type Context } from "node:vm";
import type { WorldOptions } from "../world/world.js";
import { keepPage } from "./kept-pages.js";
import { pure } from "./pure.js";
import { takeRejections } from "./rejections.js";

export interface RealmOptions {
  /** Evaluated first: `worldSource`, compiled once for all realms. */
  readonly base: Script;
  readonly world: WorldOptions;
  readonly allowsEval?: boolean;
  /** Time limit of an evaluation. Slow; detects endless loops. */
  readonly timeoutMs?: number;
}

export interface WorldReport {
  readonly made: readonly { options: number; value: number }[];
  readonly diverged?: number;
  readonly unused: number;
  readonly turns: number;
  readonly now: number;
  readonly body: "none" | "running" | "done";
  readonly pending: readonly string[];
  readonly failure?: {
    kind: "assertion" | "exception" | "rejection" | "deadlock" | "livelock" | "unsupported";
    name: string;
    message: string;
    stack: string;
    turn: number;
  };
  readonly relied?: number;
  /** A failed assertion in a run that passed. */
  readonly caught?: { readonly message: string; readonly stack: string };
  /** Of a run that was given up after its last turn: the timer that fires again and again. */
  readonly repeating?: { readonly label: string; readonly times: number; readonly stack: string };
  readonly output: readonly { turn: number; level: string; text: string }[];
  readonly events: readonly {
    turn: number;
    kind: "call" | "turn" | "note";
    lane: string;
    label: string;
    stack: string;
  }[];
}

interface Uninterrupted {
  fail(kind: "livelock", message: string): void;
  report(): string;
}

export class Realm {
  readonly context: Context;
  readonly #entry: Entry;
  readonly #uninterrupted: Uninterrupted | undefined;

  constructor(options: RealmOptions) {
    this.context = createContext(plainGlobal(), {
      microtaskMode: "afterEvaluate",
      codeGeneration: { strings: options.allowsEval ?? false, wasm: false },
    });
    keepPage();
    this.#entry = options.timeoutMs === undefined ? unwatched : within(options.timeoutMs);
    options.base.runInContext(this.context);
    (scripts.connect.runInContext(this.context) as (host: typeof pure) => void)(pure);
    this.give(JSON.stringify(options.world));
    // Without a limit: this code is ours, and a busy machine may be slow.
    scripts.begin.runInContext(this.context);
    if (options.timeoutMs !== undefined)
      this.#uninterrupted = {
        fail: scripts.failFunction.runInContext(this.context) as Uninterrupted["fail"],
        report: scripts.reportFunction.runInContext(this.context) as Uninterrupted["report"],
      };
  }

  /** Passes text to the next script in the global `everypath_inbox`; faster than compiling a script. */
  give(text: string): void {
    this.context["everypath_inbox"] = text;
  }

  /** Selects the test, for the file that is evaluated next. */
  want(names: readonly string[]): void {
    this.context["everypath_wanted"] = JSON.stringify(names);
  }

  /**
   * Evaluates a script, then its promise jobs; returns numbers and strings. `timeoutMs` overrides the realm's limit.
   */
  run(script: Script, timeoutMs?: number): number | string | undefined {
    const entry = timeoutMs === undefined ? this.#entry : within(timeoutMs);
    const value: unknown = script.runInContext(this.context, isWatched ? entry : unwatched);
    return typeof value === "number" || typeof value === "string" ? value : undefined;
  }

  /** Evaluates the user's files, which takes longer than any step on a busy machine. */
  load(script: Script): number | string | undefined {
    const { timeout } = this.#entry;
    return this.run(script, timeout === undefined ? undefined : 5 * timeout);
  }

  /** Runs `process.nextTick` callbacks and promise jobs until none remain; then unhandled rejections are failures. */
  settle(): void {
    while (this.run(scripts.tick) === 1); // sound: test/code/conditions.test.ts
    for (const reason of takeRejections()) this.#reject(reason); // sound: test/code/conditions.test.ts
  }

  /** Runs one turn of the world with its promise jobs; see `Turn`. */
  turn(): number {
    const answer = this.run(scripts.turn) as number;
    this.settle();
    return answer;
  }

  /** A function of the realm, to call before each of its promise jobs. */
  get onJob(): () => void {
    return scripts.job.runInContext(this.context) as () => void;
  }

  summary(withCosts: boolean): string {
    return this.run(withCosts ? scripts.summaryWithCosts : scripts.summary) as string;
  }

  /** Describes an error inside the realm, where the error belongs. */
  throwInside(error: unknown): void {
    (scripts.fault.runInContext(this.context) as (error: unknown) => void)(error);
  }

  /**
   * Reports on a realm in which an evaluation did not end. Another evaluation would resume its promise jobs, so this
   * calls functions of the realm instead.
   */
  reportHanging(message: string): WorldReport {
    const { fail, report } = this.#uninterrupted!;
    fail("livelock", message);
    return JSON.parse(report()) as WorldReport;
  }

  /** Records a failure that the host detected. */
  fail(kind: "deadlock" | "livelock", message: string): void {
    this.run(enter(`fail(${JSON.stringify(kind)}, ${JSON.stringify(message)})`));
  }

  /** Ends the evaluation of the file. */
  loaded(): void {
    this.run(scripts.loaded);
  }

  report(): WorldReport {
    return JSON.parse(this.run(scripts.report) as string) as WorldReport;
  }

  /** The reason is an object of the realm, so it is described there. */
  #reject(reason: unknown): void {
    const reject = scripts.reject.runInContext(this.context) as (reason: unknown) => void;
    reject(reason);
  }
}

/** Whether the evaluation exceeded its limit. The error belongs to the realm, so `instanceof Error` fails. */
export const isOutOfTime = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";

interface Entry {
  readonly displayErrors: false;
  readonly timeout?: number;
}

/** Does not display errors: the host would read their stacks, and so pass host objects to functions of the realm. */
const unwatched: Entry = { displayErrors: false };
const within = (timeout: number): Entry => ({ displayErrors: false, timeout });

/** Removes the time limits, for debugging. */
export function stopWatching(): void {
  isWatched = false;
}

let isWatched = true;

/**
 * A global object without interceptors, if Node supports it: global names are then several times faster. Otherwise an
 * object without a host prototype, so that it does not lead back to the host.
 */
const plainGlobal = (): object => {
  const { DONT_CONTEXTIFY } = constants as unknown as { DONT_CONTEXTIFY?: object };
  return DONT_CONTEXTIFY ?? (Object.create(null) as object);
};

/** A script that calls the mailbox: `enter("turn()")`. */
const enter = (call: string): Script => new Script(`globalThis[Symbol.for("everypath.mailbox")].${call}`);

const scripts = {
  connect: enter("connect"),
  begin: enter("begin(everypath_inbox)"),
  turn: enter("turn()"),
  tick: enter("tick()"),
  report: enter("report()"),
  loaded: enter("loaded()"),
  summary: enter("summary(false)"),
  summaryWithCosts: enter("summary(true)"),
  reject: enter("reject"),
  fault: enter("fault"),
  job: enter("job"),
  failFunction: enter("fail"),
  reportFunction: enter("report"),
};
