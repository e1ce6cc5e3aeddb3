/**
 * A realm: a `vm` context with globals, promise jobs and module instances of its own, in which a world runs.
 *
 * A boundary of determinism, not of security. Nothing of the host enters: code is given as scripts, data as JSON in
 * their text; results are read as numbers and strings. Every entry is an evaluation, because promise jobs of the realm
 * run at the end of an evaluation and at no other time.
 */
import { constants, createContext, Script, type Context } from "node:vm";
import type { WorldOptions } from "../world/world.js";
import { keepPage } from "./kept-pages.js";
import { takeRejections } from "./rejections.js";

export interface RealmOptions {
  /** What is evaluated first: the text of `worldSource`, compiled once for all realms. */
  readonly base: Script;
  readonly world: WorldOptions;
  /** May the code make code from strings (`eval`, `new Function`)? */
  readonly allowsEval?: boolean;
  /** Gives an evaluation up after so long: slow, for finding what does not end. */
  readonly timeoutMs?: number;
}

/** What a world says about itself. */
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
  /** Bits of `Relied`. */
  readonly relied?: number;
  /** An assertion that failed in a run that passed. */
  readonly caught?: { readonly message: string; readonly stack: string };
  readonly output: readonly { turn: number; level: string; text: string }[];
  readonly told: readonly {
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
    this.give(JSON.stringify(options.world));
    // Our own code needs no watch, and a busy machine may take long over it.
    scripts.begin.runInContext(this.context);
    if (options.timeoutMs !== undefined)
      this.#uninterrupted = {
        fail: scripts.failFunction.runInContext(this.context) as Uninterrupted["fail"],
        report: scripts.reportFunction.runInContext(this.context) as Uninterrupted["report"],
      };
  }

  /** Leaves a text for the next script, as the global `everypath_inbox`; faster than a script of its own. */
  give(text: string): void {
    this.context["everypath_inbox"] = text;
  }

  /** Which test is wanted, for the file that is evaluated next. */
  want(names: readonly string[]): void {
    this.context["everypath_wanted"] = JSON.stringify(names);
  }

  /** Evaluates a script, then its promise jobs. Only numbers and strings come back. `timeoutMs`: another limit than the realm's. */
  run(script: Script, timeoutMs?: number): number | string | undefined {
    const entry = timeoutMs === undefined ? this.#entry : within(timeoutMs);
    const value: unknown = script.runInContext(this.context, isWatched ? entry : unwatched);
    return typeof value === "number" || typeof value === "string" ? value : undefined;
  }

  /** Evaluates the user's files. On a busy machine that takes longer than any step. */
  load(script: Script): number | string | undefined {
    const { timeout } = this.#entry;
    return this.run(script, timeout === undefined ? undefined : 5 * timeout);
  }

  /** Runs `process.nextTick` callbacks and promise jobs until there are none; then unhandled rejections are failures. */
  settle(): void {
    while (this.run(scripts.tick) === 1); // sound: test/code/conditions.test.ts
    for (const reason of takeRejections()) this.#reject(reason); // sound: test/code/conditions.test.ts
  }

  /** One turn of the world, and all that follows at once; see `Turn`. */
  turn(): number {
    const answer = this.run(scripts.turn) as number;
    this.settle();
    return answer;
  }

  /** A function of the realm, to be called before each of its promise jobs. */
  get onJob(): () => void {
    return scripts.job.runInContext(this.context) as () => void;
  }

  /** The little that a search needs to know. */
  summary(withCosts: boolean): string {
    return this.run(withCosts ? scripts.summaryWithCosts : scripts.summary) as string;
  }

  /** What a script threw is an object of the realm, and goes back in to be described. */
  throwInside(error: unknown): void {
    (scripts.fault.runInContext(this.context) as (error: unknown) => void)(error);
  }

  /**
   * What there is to say about a realm in which an evaluation did not end: another one would run its promise jobs again, so
   * functions of the realm are called instead, which run none.
   */
  reportHanging(message: string): WorldReport {
    const { fail, report } = this.#uninterrupted!;
    fail("livelock", message);
    return JSON.parse(report()) as WorldReport;
  }

  /** A failure that is seen from outside. */
  fail(kind: "deadlock" | "livelock", message: string): void {
    this.run(enter(`fail(${JSON.stringify(kind)}, ${JSON.stringify(message)})`));
  }

  /** The file has been evaluated. */
  loaded(): void {
    this.run(scripts.loaded);
  }

  report(): WorldReport {
    return JSON.parse(this.run(scripts.report) as string) as WorldReport;
  }

  /** The reason is an object of the realm: it goes back in to be described there. */
  #reject(reason: unknown): void {
    const reject = scripts.reject.runInContext(this.context) as (reason: unknown) => void;
    reject(reason);
  }
}

/** Was the evaluation given up? The error is made in the realm, so it is no `Error` of ours. */
export const isOutOfTime = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";

interface Entry {
  readonly displayErrors: false;
  readonly timeout?: number;
}

/** Errors are not displayed: to do that, the host would ask for their stacks, and functions of the realm would be given its own. */
const unwatched: Entry = { displayErrors: false };
const within = (timeout: number): Entry => ({ displayErrors: false, timeout });

/** From now on evaluations may take as long as they like: somebody looks at them with a debugger. */
export function stopWatching(): void {
  isWatched = false;
}

let isWatched = true;

/**
 * A global object without interceptors, where Node has it: each use of a global name is then several times faster. Otherwise
 * one is made of an object that has no prototype of ours, so that it does not lead back here.
 */
const plainGlobal = (): object => {
  const { DONT_CONTEXTIFY } = constants as unknown as { DONT_CONTEXTIFY?: object };
  return DONT_CONTEXTIFY ?? (Object.create(null) as object);
};

/** A script that calls the mailbox: `enter("turn()")`. */
export const enter = (call: string): Script =>
  new Script(`globalThis[Symbol.for("everypath.mailbox")].${call}`);

const scripts = {
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
